import { createHash } from 'node:crypto';
import {
  REFERENCE_CSS,
  REFERENCE_JS,
  referenceHtml,
  type ReferenceLink,
  referenceMarkdown,
  referenceOf,
  SEND_REQUEST_JS,
} from '@gpu-observatory/api-reference';
import { DOME_SVG } from '@gpu-observatory/visual-identity';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_TYPES, preferredPageType, type PageType } from '../negotiation/preferences.ts';
import { Representation } from '../negotiation/representation.ts';
import {
  IMMUTABLE,
  PAGE_VARY,
  PRIVATE,
  PUBLIC,
  sendRepresentation,
} from '../negotiation/send-representation.ts';

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';" +
    "base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

const [HTML, MARKDOWN] = PAGE_TYPES;

/** Files of the page, by path. */
const FILES = {
  '/docs/reference.css': new Representation('text/css; charset=utf-8', REFERENCE_CSS),
  '/docs/reference.js': new Representation('text/javascript; charset=utf-8', REFERENCE_JS),
  '/docs/send-request.js': new Representation('text/javascript; charset=utf-8', SEND_REQUEST_JS),
  '/docs/dome.svg': new Representation('image/svg+xml; charset=utf-8', DOME_SVG),
};

export interface ReferenceOptions {
  /** Public URL of the service, for the examples. Never a header of the request: a shared cache may store the page. */
  publicUrl: string;
  /** URL of the logo's link; `/docs` by default. */
  homeUrl?: string;
  /** Further links of the header. */
  links?: readonly ReferenceLink[];
}

/** Adds the links to the website for a service that is not the website. */
export function withWebsite(options: ReferenceOptions, siteUrl: string | undefined): ReferenceOptions {
  if (siteUrl === undefined || options.homeUrl !== undefined) return options;
  const website = [
    { name: 'Website', url: siteUrl },
    { name: 'Developers', url: `${siteUrl}/developers` },
  ];
  return { ...options, homeUrl: siteUrl, links: [...website, ...(options.links ?? [])] };
}

/** Serves the API reference at `/docs`, as HTML or markdown by `Accept`, and as markdown at `/docs.md`. */
export function serveReference(
  server: FastifyInstance,
  document: OpenAPIObject,
  { publicUrl, homeUrl = '/docs', links = [] }: ReferenceOptions,
): void {
  const reference = referenceOf(document);
  const pages: Partial<Record<PageType, Representation>> = {};
  // Rendered on first use, so that it does not delay the start.
  const page = (type: PageType) =>
    (pages[type] ??= new Representation(
      type,
      type === HTML
        ? referenceHtml({ reference, publicUrl, homeUrl, links, files: FILE_URLS })
        : referenceMarkdown(reference, publicUrl),
    ));

  const secured = {
    onRequest: (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      void reply.headers(SECURITY_HEADERS);
      done();
    },
  };
  server.get('/docs', secured, (request, reply) => {
    const type = preferredPageType(request.headers);
    void reply.header(
      'link',
      type === HTML ? '</docs.md>; rel="alternate"; type="text/markdown"' : '</docs>; rel="canonical"',
    );
    sendRepresentation(request, reply, page(type), {
      cacheControl: type === MARKDOWN ? PRIVATE : PUBLIC,
      vary: PAGE_VARY,
    });
  });
  server.get('/docs.md', secured, (request, reply) => {
    void reply.header('link', '</docs>; rel="canonical"');
    sendRepresentation(request, reply, page(MARKDOWN), {
      vary: PAGE_VARY,
    });
  });
  for (const [path, file] of Object.entries(FILES)) {
    const exactUrl = urlOf(path as keyof typeof FILES);
    server.get(path, secured, (request, reply) => {
      const isExact = request.url === exactUrl;
      sendRepresentation(request, reply, file, { cacheControl: isExact ? IMMUTABLE : PUBLIC });
    });
  }
}

/** Adds a hash of the content, so that the URL can be cached forever. */
function urlOf(path: keyof typeof FILES): string {
  return `${path}?v=${createHash('sha256').update(FILES[path].text).digest('hex').slice(0, 10)}`;
}

const FILE_URLS = {
  stylesheet: urlOf('/docs/reference.css'),
  scripts: [urlOf('/docs/reference.js'), urlOf('/docs/send-request.js')],
  logo: urlOf('/docs/dome.svg'),
};
