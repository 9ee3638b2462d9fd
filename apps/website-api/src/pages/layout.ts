import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPath } from '../assets/assets.ts';
import type { SiteIdentity } from '../site/site-identity.ts';

export interface PageHead {
  title: string;
  description: string;
  /** The page's one address on this site. */
  url: string;
  /** Where the text appeared first, when that is elsewhere. */
  canonicalUrl?: string;
  /** Where the same is to be had as markdown. */
  markdownUrl: string;
  /** Absolute; for where the page is shared. */
  imageUrl?: string;
  article?: { publishedAt: Date; updatedAt: Date; author: string; tags: string[] };
  /** What the page is, for search engines (schema.org). */
  linkedData: object;
  /** Beside the site's own. */
  stylesheets?: string[];
}

/** A whole HTML document around a page's content. Nothing in it runs, and every text is escaped. */
export function document(head: PageHead, identity: SiteIdentity, content: ComponentChildren): string {
  const page = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${head.title}</title>
        <meta name="description" content=${head.description} />
        <link rel="canonical" href=${head.canonicalUrl ?? head.url} />
        <link rel="alternate" type="text/markdown" href=${head.markdownUrl} />
        <link
          rel="alternate"
          type="application/rss+xml"
          title=${identity.name}
          href=${`${identity.url}/feed.xml`}
        />
        <meta name="color-scheme" content="light dark" />
        ${openGraph(head, identity)}
        <link rel="icon" type="image/svg+xml" href=${assetPath('dome.svg')} />
        ${['site.css', ...(head.stylesheets ?? [])].map(
          (name) => html`<link rel="stylesheet" href=${assetPath(name)} />`,
        )}
        ${linkedData(head.linkedData)}
      </head>
      <body>
        ${content}
      </body>
    </html>
  `;
  return `<!doctype html>\n${renderToString(page)}\n`;
}

function openGraph({ title, description, url, imageUrl, article }: PageHead, { name }: SiteIdentity) {
  return html`
    <meta property="og:type" content=${article ? 'article' : 'website'} />
    <meta property="og:site_name" content=${name} />
    <meta property="og:title" content=${title} />
    <meta property="og:description" content=${description} />
    <meta property="og:url" content=${url} />
    ${imageUrl && html`<meta property="og:image" content=${imageUrl} />`}
    <meta name="twitter:card" content=${imageUrl ? 'summary_large_image' : 'summary'} />
    ${
      article &&
      html`
        <meta property="article:published_time" content=${article.publishedAt.toISOString()} />
        <meta property="article:modified_time" content=${article.updatedAt.toISOString()} />
        <meta property="article:author" content=${article.author} />
        ${article.tags.map((tag) => html`<meta property="article:tag" content=${tag} />`)}
      `
    }
  `;
}

/**
 * A data block, which browsers never run, so that no policy has to allow it (HTML standard, section 4.12.1). Escaped
 * so that nothing in it can end the element.
 */
function linkedData(data: object): VNode {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return html`<script
    type="application/ld+json"
    dangerouslySetInnerHTML=${{ __html: text }}
  ></script>` as VNode;
}

const SECTIONS = [
  { path: '/blog', name: 'Research' },
  { path: '/developers', name: 'Developers' },
  { path: '/contact', name: 'Contact' },
];

/** The links to the parts of the site, the present one marked. */
export function navigation(path: string): VNode {
  return html`
    <nav aria-label="Site">
      ${SECTIONS.map(
        (section) => html`
          <a href=${section.path} aria-current=${section.path === path ? 'page' : undefined}
            >${section.name}</a
          >
        `,
      )}
    </nav>
  ` as VNode;
}

/** The top of every page but the home page, which has the dome there. */
export function masthead(path: string, { name }: SiteIdentity): VNode {
  return html`
    <a class="skip" href="#content">Skip to content</a>
    <header class="masthead">
      <a class="name" href="/"><img src=${assetPath('dome.svg')} alt="" width="28" height="28" />${name}</a>
      ${navigation(path)}
    </header>
  ` as VNode;
}

/** The bottom of every page. @param markdownPath the page's twin, where it has one */
export function siteFooter({ contact, docs_url }: SiteIdentity, markdownPath: string): VNode {
  return html`
    <footer>
      <p>
        <a href=${markdownPath}>This page as markdown</a>
        <a href="/feed.xml">Feed</a>
        <a href="/llms.txt">llms.txt</a>
        <a href=${docs_url}>Guide</a>
        <a href="/docs">API reference</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href=${`mailto:${contact.email}`}>${contact.email}</a>
      </p>
    </footer>
  ` as VNode;
}
