import type { SiteConfig } from '../config/site.config.ts';
import type { Page } from '../negotiation/page.ts';

/** Renders the full text of all pages and posts as one file. Each text starts with its source URL. */
export function llmsFullTxt({ siteUrl }: SiteConfig, pages: Page[], guidance: string): string {
  const texts = [
    { source: '/agents.md', text: guidance },
    ...pages.map((page) => ({ source: page.path, text: page.markdown().text })),
  ];
  return texts
    .map(({ source, text }) => `Source: ${siteUrl}${source}\n\n${text.trimEnd()}\n`)
    .join('\n---\n\n');
}
