import type { FastifyReply, FastifyRequest } from 'fastify';
import { deliver, PRIVATE, PUBLIC, VARY_OF_PAGES } from '../negotiation/deliver.ts';
import { PAGE_TYPES, preferredPageType } from '../negotiation/preferences.ts';
import { Representation } from '../negotiation/representation.ts';
import type { ContentSnapshot } from '../posts/content-snapshot.ts';

export interface PageAddress {
  /** The path of the HTML form, such as `/`. */
  path: string;
  /** The path of the twin, such as `/index.md`. */
  markdownPath: string;
  title: string;
  /** Where the text appeared first, when that is elsewhere; absolute. */
  canonicalUrl?: string;
  /** When what it says changed last, where that is known. */
  updatedAt?: Date;
}

/** One page in its two forms: HTML, and a markdown twin that says the same. */
export interface Page extends PageAddress {
  html(): Representation;
  markdown(): Representation;
}

/** How a page says what it says, in each form. */
export interface PageForms {
  html(): string;
  markdown(): string;
}

const [HTML, MARKDOWN] = PAGE_TYPES;

/** A page that never changes while the service runs. */
export function fixedPage(address: PageAddress, forms: PageForms): Page {
  const html = new Representation(HTML, forms.html());
  const markdown = new Representation(MARKDOWN, forms.markdown());
  return { ...address, html: () => html, markdown: () => markdown };
}

/** A page of the published content, each form made when somebody first asks for it. */
export function contentPage(snapshot: ContentSnapshot, address: PageAddress, forms: PageForms): Page {
  const { path } = address;
  return {
    ...address,
    html: () => snapshot.form(`html ${path}`, () => new Representation(HTML, forms.html())),
    markdown: () => snapshot.form(`markdown ${path}`, () => new Representation(MARKDOWN, forms.markdown())),
  };
}

/** Where an agent that meets any page finds the index of all that there is. */
const INDEX_LINK = '</llms.txt>; rel="describedby"; type="text/plain"';

/** At the page's own URL: the form that the reader prefers. */
export function deliverPage(request: FastifyRequest, reply: FastifyReply, page: Page): void {
  if (preferredPageType(request.headers) === MARKDOWN) {
    void reply.header('link', linksOfMarkdown(page));
    deliver(request, reply, page.markdown(), { cacheControl: PRIVATE, vary: VARY_OF_PAGES });
    return;
  }
  void reply.header('link', `<${page.markdownPath}>; rel="alternate"; type="text/markdown", ${INDEX_LINK}`);
  deliver(request, reply, page.html(), { cacheControl: PUBLIC, vary: VARY_OF_PAGES });
}

/** At the twin's URL: markdown whatever the reader says, for the URL says it already. */
export function deliverMarkdown(request: FastifyRequest, reply: FastifyReply, page: Page): void {
  void reply.header('link', linksOfMarkdown(page));
  deliver(request, reply, page.markdown(), { cacheControl: PUBLIC, vary: VARY_OF_PAGES });
}

/** The same canonical address as in the head of the HTML form; a header takes ASCII alone. */
function linksOfMarkdown({ path, canonicalUrl }: PageAddress): string {
  const canonical = canonicalUrl === undefined ? path : new URL(canonicalUrl).href;
  return `<${canonical}>; rel="canonical", ${INDEX_LINK}`;
}
