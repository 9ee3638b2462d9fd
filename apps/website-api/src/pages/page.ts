import type { FastifyReply, FastifyRequest } from 'fastify';
import { deliver, PRIVATE, PUBLIC, VARY_OF_PAGES } from '../negotiation/deliver.ts';
import { preferredPageType } from '../negotiation/preferences.ts';
import type { Representation } from '../negotiation/representation.ts';

/** One page in its two forms: HTML, and a markdown twin that says the same. */
export interface Page {
  /** The path of the HTML form, such as `/`. */
  path: string;
  /** The path of the twin, such as `/index.md`. */
  markdownPath: string;
  html: Representation;
  markdown: Representation;
}

/** At the page's own URL: the form that the reader prefers. */
export function deliverPage(request: FastifyRequest, reply: FastifyReply, page: Page): void {
  const prefersMarkdown = preferredPageType(request.headers) === page.markdown.contentType;
  if (prefersMarkdown) {
    deliver(request, reply, page.markdown, { cacheControl: PRIVATE, vary: VARY_OF_PAGES });
    return;
  }
  void reply.header('link', `<${page.markdownPath}>; rel="alternate"; type="text/markdown"`);
  deliver(request, reply, page.html, { cacheControl: PUBLIC, vary: VARY_OF_PAGES });
}

/** At the twin's URL: markdown whatever the reader says, for the URL says it already. */
export function deliverMarkdown(request: FastifyRequest, reply: FastifyReply, page: Page): void {
  void reply.header('link', `<${page.path}>; rel="canonical"`);
  deliver(request, reply, page.markdown, { cacheControl: PUBLIC, vary: VARY_OF_PAGES });
}
