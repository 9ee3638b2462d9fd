import { PAGE_TYPES, Representation } from '@gpu-observatory/service-runtime';
import type { ContentSnapshot } from '../posts/content-snapshot.ts';

export interface PageAddress {
  /** Path of the HTML page, for example `/`. */
  path: string;
  title: string;
  /** Absolute URL of the first publication on another site. */
  canonicalUrl?: string | undefined;
  /** Time of the last change of the content, if known. */
  updatedAt?: Date | undefined;
}

/** Returns the path of the markdown twin of a page. */
export const markdownPath = (path: string): string => (path === '/' ? '/index.md' : `${path}.md`);

/** A page as HTML and as markdown with the same content. */
export interface Page extends PageAddress {
  html(): Representation;
  markdown(): Representation;
}

/** Functions that render a page in each content type. */
interface PageRenderers {
  html(): string;
  markdown(): string;
}

/** `Link` header value that leads agents from any page to the index. */
export const INDEX_LINK = '</llms.txt>; rel="describedby"; type="text/plain"';

const [HTML, MARKDOWN] = PAGE_TYPES;

/** Creates a page that does not change while the service runs. */
export function fixedPage(address: PageAddress, renderers: PageRenderers): Page {
  const html = new Representation(HTML, renderers.html());
  const markdown = new Representation(MARKDOWN, renderers.markdown());
  return { ...address, html: () => html, markdown: () => markdown };
}

/** Creates a page of published content. Each content type is rendered on first use and cached in the snapshot. */
export function contentPage(snapshot: ContentSnapshot, address: PageAddress, renderers: PageRenderers): Page {
  const { path } = address;
  return {
    ...address,
    html: () => snapshot.representation(`html ${path}`, () => new Representation(HTML, renderers.html())),
    markdown: () =>
      snapshot.representation(`markdown ${path}`, () => new Representation(MARKDOWN, renderers.markdown())),
  };
}
