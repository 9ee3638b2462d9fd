import type { SiteConfig } from '../config/site.config.ts';
import type { Page } from '../pages/page.ts';

/** The whole text of every page and post in one file, each with the address it is from. */
export function llmsFullTxt({ siteUrl }: SiteConfig, pages: Page[], guidance: string): string {
  const texts = [
    { source: '/agents.md', text: guidance },
    ...pages.map((page) => ({ source: page.path, text: page.markdown().text })),
  ];
  return texts
    .map(({ source, text }) => `Source: ${siteUrl}${source}\n\n${text.trimEnd()}\n`)
    .join('\n---\n\n');
}
