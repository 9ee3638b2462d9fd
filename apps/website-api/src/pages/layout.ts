import { html } from 'htm/preact';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPath } from '../assets/assets.ts';

export interface PageHead {
  title: string;
  description: string;
  /** The page's one address. */
  canonicalUrl: string;
  /** Where the same is to be had as markdown. */
  markdownUrl: string;
  siteName: string;
}

/** A whole HTML document around a page's content. Nothing in it is a script, and every text is escaped. */
export function document(head: PageHead, content: ComponentChildren): string {
  const page = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${head.title}</title>
        <meta name="description" content=${head.description} />
        <link rel="canonical" href=${head.canonicalUrl} />
        <link rel="alternate" type="text/markdown" href=${head.markdownUrl} />
        <meta name="color-scheme" content="light dark" />
        <meta property="og:type" content="website" />
        <meta property="og:site_name" content=${head.siteName} />
        <meta property="og:title" content=${head.title} />
        <meta property="og:description" content=${head.description} />
        <meta property="og:url" content=${head.canonicalUrl} />
        <link rel="icon" type="image/svg+xml" href=${assetPath('dome.svg')} />
        <link rel="stylesheet" href=${assetPath('site.css')} />
      </head>
      <body>
        ${content}
      </body>
    </html>
  `;
  return `<!doctype html>\n${renderToString(page)}\n`;
}
