import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Runtime } from '../runtime.ts';
import { hasRepeatedHost } from './malformed-input.ts';
import { interceptRequests } from './intercept-requests.ts';
import { inPieces, isLong } from './long-bodies.ts';
import { matchesEtag } from './if-none-match.ts';
import { requestIdOf } from './request-id.ts';
import type { WriteBuffer } from './write-buffer.ts';

/** A complete response, without the headers that differ per request. */
export interface CachedResponse {
  /** Route pattern, for logs and metrics. */
  route: string;
  etag: string;
  /** Alternating names and values, the form that `writeHead` takes without a copy. */
  headers: string[];
  notModifiedHeaders: string[];
  /** Null when only the 304 of this response was ever sent. */
  body: Buffer | null;
  /** Owners of the bytes of the body in the write buffer. */
  owners: readonly unknown[];
  /** Headers of this response to this request, as in `headers`. */
  currentHeaders?: string[];
}

/** Estimated size of an entry's headers and key. */
const ENTRY_OVERHEAD_BYTES = 4 * 1024;
/** Largest share of the cache that one entry may take, so that it cannot evict all others. */
const MAX_ENTRY_SHARE = 1 / 4;
const MAX_KEY_LENGTH = 4 * 1024;
/** An entry that no request used for this long is dropped, so that memory returns after load. */
const MAX_UNUSED_MS = 30_000;
const PURGE_INTERVAL_MS = 5_000;
/** Headers that differ per request or that Node writes itself. */
const UNCACHED_HEADERS = new Set(['x-request-id', 'date', 'connection', 'keep-alive', 'content-length']);
const BODY_HEADERS = new Set(['content-type', 'content-encoding']);

/** LRU cache of responses, limited by size. `Validity` is what the owner needs to decide whether an entry is still current. */
export class ResponseCache<Validity = unknown> {
  private readonly entries: LRUCache<string, CachedResponse & { validity: Validity }>;

  constructor(maxBytes: number) {
    this.entries = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes * MAX_ENTRY_SHARE),
      sizeCalculation: ({ body }) => (body?.length ?? 0) + ENTRY_OVERHEAD_BYTES,
      ttl: MAX_UNUSED_MS,
      ttlResolution: PURGE_INTERVAL_MS,
      updateAgeOnGet: true,
    });
  }

  get size(): number {
    return this.entries.size;
  }

  /** Drops the entries that no request has used for 30 s. */
  purge(): void {
    this.entries.purgeStale();
  }

  get(key: string): (CachedResponse & { validity: Validity }) | undefined {
    return this.entries.get(key);
  }

  /**
   * Stores the response that is about to be sent, with the headers that `reply` has now.
   *
   * @param except headers that the owner adds to each hit
   */
  set(
    key: string,
    reply: FastifyReply,
    response: { etag: string; body: Buffer | null; validity: Validity; owners?: readonly unknown[] },
    except: readonly string[] = [],
  ): void {
    if (key.length > MAX_KEY_LENGTH) return;
    const { etag, body, validity, owners = [] } = response;
    const headers = Object.entries(reply.getHeaders())
      .filter(([name]) => !UNCACHED_HEADERS.has(name) && !except.includes(name))
      .map(([name, value]) => [name, String(value)] as const);
    this.entries.set(key, {
      route: reply.request.routeOptions.url ?? 'unknown',
      etag,
      headers: body === null ? [] : [...headers.flat(), 'content-length', String(body.length)],
      notModifiedHeaders: headers.filter(([name]) => !BODY_HEADERS.has(name)).flat(),
      body,
      owners,
      validity,
    });
  }
}

type CacheResult = CachedResponse | undefined;

/**
 * Serves cached responses before Fastify sees the request, so that a cache hit costs little more than Node's own share.
 * A cache miss, a request that is not a plain GET, and any request while the service drains are passed to Fastify. So is
 * a request whose lookup fails; Fastify then responds with that error.
 *
 * @param cache its unused entries are dropped
 * @param find returns a response that is current and that this caller may see
 */
export function serveCachedResponses(
  server: FastifyInstance,
  {
    logger,
    metrics,
    readiness,
    writeBuffer,
  }: Pick<Runtime, 'logger' | 'metrics' | 'readiness' | 'writeBuffer'>,
  cache: Pick<ResponseCache, 'purge'>,
  find: (request: IncomingMessage, response: ServerResponse) => CacheResult | Promise<CacheResult>,
): void {
  const purging = setInterval(() => cache.purge(), PURGE_INTERVAL_MS).unref();
  server.addHook('onClose', (_server, done) => {
    clearInterval(purging);
    done();
  });
  const lookupErrors = new WeakMap<IncomingMessage, Error>();
  server.addHook('onRequest', (request, _reply, done) => done(lookupErrors.get(request.raw)));

  interceptRequests(server.server, (request, response, next) => {
    if (!isCacheableRequest(request) || readiness.isDraining) return next();
    const startedAt = performance.now();
    const respond = (cached: CacheResult) => {
      const status = cached && sendCached(cached, request, response, writeBuffer);
      if (!cached || status === undefined) return next();
      const milliseconds = performance.now() - startedAt;
      const { route } = cached;
      metrics.observeRequest('GET', route, status, milliseconds / 1000);
      // Writing a log line takes as long as the response itself; metrics count every request anyway.
      if (!logger.isLevelEnabled('debug')) return;
      logger.debug(
        {
          request_id: response.getHeader('x-request-id'),
          method: 'GET',
          route,
          status,
          milliseconds: Math.round(milliseconds * 10) / 10,
        },
        'request',
      );
    };
    const result = find(request, response);
    if (!(result instanceof Promise)) return respond(result);
    result.then(respond, (error: Error) => {
      lookupErrors.set(request, error);
      next();
    });
  });
}

/** Whether the URL and a few headers determine the response: a GET without a body and without a trace to continue. */
export function isCacheableRequest(request: IncomingMessage): boolean {
  const { method, headers, httpVersionMinor } = request;
  return (
    method === 'GET' &&
    httpVersionMinor === 1 &&
    headers.host !== undefined &&
    !hasRepeatedHost(request) &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['traceparent'] === undefined
  );
}

/** @returns the status sent, or undefined when nothing was sent because the cache has no body for this request */
function sendCached(
  { etag, headers, notModifiedHeaders, body, owners, currentHeaders = [] }: CachedResponse,
  request: IncomingMessage,
  response: ServerResponse,
  writeBuffer: WriteBuffer,
): 200 | 304 | undefined {
  const status = matchesEtag(request.headers, etag) ? 304 : 200;
  // Without room in the write buffer, Fastify responds with the 429.
  if (status === 200 && (body === null || !writeBuffer.reserve(response, body, owners))) return undefined;
  const id = requestIdOf(request);
  if (status === 304)
    response.writeHead(304, [...notModifiedHeaders, ...currentHeaders, 'x-request-id', id]).end();
  else {
    response.writeHead(200, [...headers, ...currentHeaders, 'x-request-id', id]);
    if (body !== null && isLong(body)) inPieces(body).pipe(response);
    else response.end(body);
  }
  return status;
}
