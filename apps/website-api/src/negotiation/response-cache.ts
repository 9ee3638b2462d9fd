import type { IncomingMessage } from 'node:http';
import {
  serveCachedResponses,
  isCacheableRequest,
  ResponseCache,
  type Runtime,
} from '@gpu-observatory/service-runtime';
import { shareOfMemory } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';

/** Exceeds the size of all pages in every type and coding. Bounds memory under requests with random queries. */
const MAX_CACHE_BYTES = shareOfMemory(1 / 16, 64 * 1024 * 1024);

/**
 * Serves repeated GET requests from a cache until the published content changes.
 *
 * @param version returns the current content version, or undefined while a check for changes is due
 */
export function cacheResponses(
  server: FastifyInstance,
  runtime: Runtime,
  version: () => object | undefined,
): void {
  const cache = new ResponseCache<object>(MAX_CACHE_BYTES);

  server.decorateReply('cacheableEntityTag', null);
  server.addHook('onSend', (request, reply, payload, done) => {
    const { cacheableEntityTag: etag } = reply;
    const current = version();
    if (
      typeof etag === 'string' &&
      current !== undefined &&
      reply.statusCode === 200 &&
      isCacheableRequest(request.raw) &&
      Buffer.isBuffer(payload)
    ) {
      cache.set(keyOf(request.raw), reply, { etag, body: payload, validity: current });
    }
    done(null, payload);
  });

  serveCachedResponses(server, runtime, cache, (request) => {
    const cached = cache.get(keyOf(request));
    return cached?.validity === version() ? cached : undefined;
  });
}

/** Cache key of everything that a response depends on. Header values contain no line breaks. */
const keyOf = ({ url, headers }: IncomingMessage): string =>
  `${url}\n${headers.accept}\n${headers['accept-encoding']}\n${headers.origin !== undefined}`;
