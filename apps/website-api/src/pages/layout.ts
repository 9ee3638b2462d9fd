import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPath } from '../assets/assets.ts';
import type { SiteIdentity } from '../site/site-identity.ts';

export interface PageHead {
  title: string;
  description: string;
  /** Absolute URL of the page on this site. */
  url: string;
  /** URL of the first publication on another site. */
  canonicalUrl?: string;
  /** Absolute URL of the markdown twin. */
  markdownUrl: string;
  /** Path of the previous page of a list. */
  previousPath?: string | undefined;
  /** Path of the next page of a list. */
  nextPath?: string | undefined;
  /** Absolute URL of the Open Graph image. */
  imageUrl?: string;
  article?: { publishedAt: Date; updatedAt: Date; author: string; tags: string[] };
  /** JSON-LD object for search engines (schema.org), without its `@context`. */
  linkedData: object;
  /** Names of assets to load in addition to those of every page. */
  stylesheets?: string[];
  /** Names of scripts to load. A page must be complete without them. */
  scripts?: string[];
}

export interface TextPageHead extends Pick<
  PageHead,
  'description' | 'canonicalUrl' | 'previousPath' | 'nextPath' | 'imageUrl' | 'article' | 'scripts'
> {
  path: string;
  title: string;
  linkedData: { '@type': string; [property: string]: unknown };
}

/** Renders a page of text: header, main content and footer, with the stylesheet for reading. */
export function textPage(page: TextPageHead, identity: SiteIdentity, main: ComponentChildren): string {
  const { path, title, linkedData, imageUrl = identity.url + assetPath('share.png'), ...head } = page;
  const { description } = head;
  const url = identity.url + path;
  const publisher = { '@type': 'Organization', name: identity.name, url: `${identity.url}/` };
  return document(
    {
      ...head,
      imageUrl,
      title: `${title} · ${identity.name}`,
      url,
      markdownUrl: `${url}.md`,
      stylesheets: ['reading.css'],
      linkedData: { description, url, publisher, ...linkedData },
    },
    identity,
    html`
      ${masthead(path, identity)}
      <main id="content">${main}</main>
      ${siteFooter(identity, `${path}.md`)}
    `,
  );
}

/** Renders an HTML document around the content of a page. It contains no inline script. */
export function document(head: PageHead, identity: SiteIdentity, content: ComponentChildren): string {
  const page = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${head.title}</title>
        <meta name="description" content=${head.description} />
        <link rel="canonical" href=${head.canonicalUrl ?? head.url} />
        ${head.previousPath !== undefined && html`<link rel="prev" href=${identity.url + head.previousPath} />`}
        ${head.nextPath !== undefined && html`<link rel="next" href=${identity.url + head.nextPath} />`}
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
        ${['frame.css', 'site.css', ...(head.stylesheets ?? [])].map(
          (name) => html`<link rel="stylesheet" href=${assetPath(name)} />`,
        )}
        ${head.scripts?.map((name) => html`<script type="module" src=${assetPath(name)}></script>`)}
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
 * Renders a JSON-LD data block. Browsers never execute it, so the content security policy need not allow it:
 * https://html.spec.whatwg.org/multipage/scripting.html#data-block. Escaping `<` keeps text from closing the element.
 */
function linkedData(data: object): VNode {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return html`<script
    type="application/ld+json"
    dangerouslySetInnerHTML=${{ __html: text }}
  ></script>` as VNode;
}

/** Returns the scripts that a text needs. @param prose HTML of the text */
export const scriptsFor = (prose: string): string[] =>
  prose.includes('<div class="code">') ? ['copy-code.js'] : [];

/** Sections of the site in its header. */
export const SECTIONS = [
  { path: '/blog', name: 'Research' },
  { path: '/developers', name: 'Developers' },
  { path: '/contact', name: 'Contact' },
];

/** `page` for the page that the link leads to, `true` for a page below it. */
function current(section: string, path: string): string | undefined {
  if (section === path) return 'page';
  return path.startsWith(`${section}/`) ? 'true' : undefined;
}

/** Renders the main navigation with the current section marked. */
export function navigation(path: string): VNode {
  return html`
    <nav aria-label="Site">
      ${SECTIONS.map(
        (section) => html`
          <a href=${section.path} aria-current=${current(section.path, path)}>${section.name}</a>
        `,
      )}
    </nav>
  ` as VNode;
}

/** Renders the header of every page except the home page. */
function masthead(path: string, { name }: SiteIdentity): VNode {
  return html`
    <a class="skip" href="#content">Skip to content</a>
    <header class="masthead">
      <a class="name" href="/"><img src=${assetPath('dome.svg')} alt="" width="28" height="28" />${name}</a>
      ${navigation(path)}
    </header>
  ` as VNode;
}

/** @param markdownPath path of the markdown twin of the page */
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
