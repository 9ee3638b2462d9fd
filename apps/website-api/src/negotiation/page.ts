import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  PAGE_TYPES,
  PAGE_VARY,
  preferredPageType,
  PRIVATE,
  PUBLIC,
  Representation,
  sendRepresentation,
} from '@gpu-observatory/service-runtime';
import type { ContentSnapshot } from '../posts/content-snapshot.ts';

export interface PageAddress {
  /** Path of the HTML page, for example `/`. */
  path: string;
  /** Path of the markdown twin, for example `/index.md`. */
  markdownPath: string;
  title: string;
  /** Absolute URL of the first publication on another site. */
  canonicalUrl?: string;
  /** Time of the last change of the content, if known. */
  updatedAt?: Date;
}

/** A page as HTML and as markdown with the same content. */
export interface Page extends PageAddress {
  html(): Representation;
  markdown(): Representation;
}

/** Functions that render a page in each content type. */
export interface PageRenderers {
  html(): string;
  markdown(): string;
}

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

/** `Link` header value that leads agents from any page to the index. */
const INDEX_LINK = '</llms.txt>; rel="describedby"; type="text/plain"';

/** Sends the content type that the client prefers. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): void {
  if (preferredPageType(request.headers) === MARKDOWN) {
    void reply.header('link', markdownLinkHeader(page));
    sendRepresentation(request, reply, page.markdown(), { cacheControl: PRIVATE, vary: PAGE_VARY });
    return;
  }
  void reply.header('link', `<${page.markdownPath}>; rel="alternate"; type="text/markdown", ${INDEX_LINK}`);
  sendRepresentation(request, reply, page.html(), { cacheControl: PUBLIC, vary: PAGE_VARY });
}

/** Sends markdown regardless of `Accept`, for the URL of the twin. */
export function sendMarkdown(request: FastifyRequest, reply: FastifyReply, page: Page): void {
  void reply.header('link', markdownLinkHeader(page));
  sendRepresentation(request, reply, page.markdown(), { cacheControl: PUBLIC, vary: PAGE_VARY });
}

/** Returns the `Link` header with the canonical URL of the HTML page, in ASCII as headers require. */
function markdownLinkHeader({ path, canonicalUrl }: PageAddress): string {
  const canonical = canonicalUrl === undefined ? path : new URL(canonicalUrl).href;
  return `<${canonical}>; rel="canonical", ${INDEX_LINK}`;
}

/** Redirects permanently to another path of the site, with the query of the request. */
export function sendRedirect(request: FastifyRequest, reply: FastifyReply, path: string): void {
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  void reply
    .status(301)
    .headers({ location: path + query, vary: PAGE_VARY, 'cache-control': PUBLIC })
    .send();
}
