import { matchesEtag } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { preferredCoding } from './preferences.ts';
import type { Representation } from './representation.ts';

/** Public content: a minute fresh, ten more while a cache fetches anew (decisions, section 4, Caching). */
export const PUBLIC = 'public, max-age=60, stale-while-revalidate=600';
/** A negotiated answer other than the usual HTML: kept by its reader alone, since some caches ignore Vary. */
export const PRIVATE = 'private, max-age=60, stale-while-revalidate=600';
/** For a URL whose content never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

export interface Delivery {
  status?: number;
  cacheControl?: string;
  /** Request headers that the answer depends on. */
  vary?: string;
  /** Whether whoever asks the same gets the same as long as the published content is; false for what is looked up each time. */
  repeatable?: boolean;
}

/** The `Vary` of a page, its markdown twin and the 404 site map (contract, section 4.6). */
export const VARY_OF_PAGES = 'Accept, Accept-Encoding';

/** Answers with a representation in the reader's best coding, or 304 when the reader has exactly these bytes. */
export function deliver(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  { status = 200, cacheControl = PUBLIC, vary = 'Accept-Encoding', repeatable = true }: Delivery = {},
): void {
  const { coding, bytes, entityTag } = representation.variant(preferredCoding(request.headers));
  void reply.headers({ etag: entityTag, vary, 'cache-control': cacheControl });
  if (status === 200 && matchesEtag(request.headers, entityTag)) {
    void reply.status(304).send();
    return;
  }
  if (status === 200 && repeatable) reply.repeatableTag = entityTag;
  if (coding !== 'identity') void reply.header('content-encoding', coding);
  void reply.status(status).type(representation.contentType).send(bytes);
}
