import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from '../http/if-none-match.ts';
import { preferredCoding } from './preferences.ts';
import type { Representation } from './representation.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Entity tag of a response that a response cache may store until the published content changes; otherwise null. */
    cacheableEntityTag?: string | null;
  }
}

/** `Cache-Control` of public content: fresh for 1 min, then stale for up to 10 min while a cache revalidates. */
export const PUBLIC = 'public, max-age=60, stale-while-revalidate=600';
/** `Cache-Control` of negotiated markdown: shared caches must not store it, because some ignore `Vary`. */
export const PRIVATE = 'private, max-age=60, stale-while-revalidate=600';
/** `Cache-Control` of a URL whose content never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** `Vary` of every negotiated response: a page, its markdown twin and the markdown 404. */
export const PAGE_VARY = 'Accept, Accept-Encoding';

export interface SendOptions {
  status?: number;
  cacheControl?: string;
  /** Names of the request headers that the response depends on. */
  vary?: string;
  /** Whether the response cache may store it; false for content that each request looks up. */
  cacheable?: boolean;
}

/** Sends a representation in the best coding for the client, or 304 if `If-None-Match` matches its entity tag. */
export function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  { status = 200, cacheControl = PUBLIC, vary = 'Accept-Encoding', cacheable = true }: SendOptions = {},
): void {
  const { coding, bytes, entityTag } = representation.variant(preferredCoding(request.headers));
  void reply.headers({ etag: entityTag, vary, 'cache-control': cacheControl });
  if (status === 200 && matchesEtag(request.headers, entityTag)) {
    void reply.status(304).send();
    return;
  }
  if (status === 200 && cacheable) reply.cacheableEntityTag = entityTag;
  if (coding !== 'identity') void reply.header('content-encoding', coding);
  void reply.status(status).type(representation.contentType).send(bytes);
}
