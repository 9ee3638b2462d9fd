import type { ComponentChildren } from 'preact';
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
  imageUrl: string;
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
  const stylesheets = ['frame.css', 'site.css', ...(head.stylesheets ?? [])];
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{head.title}</title>
        <meta name="description" content={head.description} />
        <link rel="canonical" href={head.canonicalUrl ?? head.url} />
        {head.previousPath !== undefined && <link rel="prev" href={identity.url + head.previousPath} />}
        {head.nextPath !== undefined && <link rel="next" href={identity.url + head.nextPath} />}
        <link rel="alternate" type="text/markdown" href={head.markdownUrl} />
        <link
          rel="alternate"
          type="application/rss+xml"
          title={identity.name}
          href={`${identity.url}/feed.xml`}
        />
        <meta name="color-scheme" content="light dark" />
        <OpenGraph head={head} siteName={identity.name} />
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

function OpenGraph({ head, siteName }: { head: PageHead; siteName: string }) {
  const { title, description, url, imageUrl, article } = head;
  return (
    <>
      <meta property="og:type" content={article ? 'article' : 'website'} />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
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
