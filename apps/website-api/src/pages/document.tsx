import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPath } from '../assets/assets.ts';
import { markdownPath } from '../negotiation/page.ts';
import type { SiteIdentity } from '../site/site-identity.ts';

export interface PageHead {
  /** Path of the page on this site. */
  path: string;
  title: string;
  description: string;
  /** URL of the first publication on another site. */
  canonicalUrl?: string | undefined;
  /** Path of the previous page of a list. */
  previousPath?: string | undefined;
  /** Path of the next page of a list. */
  nextPath?: string | undefined;
  /** Absolute URL of the Open Graph image; that of the site by default. */
  imageUrl?: string | undefined;
  article?: { publishedAt: Date; updatedAt: Date; author: string; tags: string[] };
  /** JSON-LD object for search engines (schema.org), without its `@context`. */
  linkedData: object;
  /** Names of assets to load in addition to those of every page. */
  stylesheets?: string[];
  /** Names of scripts to load. A page must be complete without them. */
  scripts?: string[];
}

/** Renders an HTML document around the content of a page. It contains no inline script. */
export function renderDocument(head: PageHead, identity: SiteIdentity, content: ComponentChildren): string {
  const url = identity.url + head.path;
  const stylesheets = ['frame.css', 'site.css', ...(head.stylesheets ?? [])];
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{head.title}</title>
        <meta name="description" content={head.description} />
        <link rel="canonical" href={head.canonicalUrl ?? url} />
        {head.previousPath !== undefined && <link rel="prev" href={identity.url + head.previousPath} />}
        {head.nextPath !== undefined && <link rel="next" href={identity.url + head.nextPath} />}
        <link rel="alternate" type="text/markdown" href={identity.url + markdownPath(head.path)} />
        <link
          rel="alternate"
          type="application/rss+xml"
          title={identity.name}
          href={`${identity.url}/feed.xml`}
        />
        <meta name="color-scheme" content="light dark" />
        <OpenGraph head={head} identity={identity} />
        <link rel="icon" type="image/svg+xml" href={assetPath('dome.svg')} />
        {stylesheets.map((name) => (
          <link rel="stylesheet" href={assetPath(name)} />
        ))}
        {head.scripts?.map((name) => (
          <script type="module" src={assetPath(name)} />
        ))}
        <LinkedData data={head.linkedData} />
      </head>
      <body>{content}</body>
    </html>
  );
  return `<!doctype html>\n${renderToString(page)}\n`;
}

function OpenGraph({ head, identity }: { head: PageHead; identity: SiteIdentity }) {
  const { path, title, description, imageUrl = identity.url + assetPath('share.png'), article } = head;
  return (
    <>
      <meta property="og:type" content={article ? 'article' : 'website'} />
      <meta property="og:site_name" content={identity.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={identity.url + path} />
      <meta property="og:image" content={imageUrl} />
      <meta name="twitter:card" content="summary_large_image" />
      {article && (
        <>
          <meta property="article:published_time" content={article.publishedAt.toISOString()} />
          <meta property="article:modified_time" content={article.updatedAt.toISOString()} />
          <meta property="article:author" content={article.author} />
          {article.tags.map((tag) => (
            <meta property="article:tag" content={tag} />
          ))}
        </>
      )}
    </>
  );
}

/**
 * JSON-LD data block. Browsers never execute it, so the content security policy need not allow it:
 * https://html.spec.whatwg.org/multipage/scripting.html#data-block. Escaping `<` keeps text from closing the element.
 */
function LinkedData({ data }: { data: object }) {
  const text = JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />;
}
