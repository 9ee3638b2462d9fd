import type { IncomingMessage } from 'node:http';
import type { Access } from '@gpu-observatory/domain-types';
import {
  type CachedResponse,
  isCacheableRequest,
  matchesEtag,
  ResponseCache,
  type Runtime,
  serveCachedResponses,
} from '@gpu-observatory/service-runtime';
import type { BearerGuard } from '@gpu-observatory/token-verification/guard';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessScopes } from '../access/access-scope.ts';
import type { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { type DataVersionRow, isAsNewAs, toDataVersion } from '../data-version/data-version.ts';
import { hourOf } from '../paging/page-token.ts';
import { type CacheableResponse, DATA_AS_OF } from './conditional-request.ts';
import { RunningBuilds } from './running-builds.ts';

export interface ResponseCacheOptions {
  guard: Pick<BearerGuard, 'cachedCaller'>;
  dataVersions: CoalescedDataVersions;
  /** 0 disables the cache. */
  maxBytes: number;
}

/**
 * Serves repeated requests of callers with the same access from memory, until the next import that changes what they read,
 * or the end of the hour. Each request reads the current data versions (coalesced with concurrent requests), so no cached
 * response is stale, and verifies the token as usual. Concurrent equal requests wait for the first. See
 * docs/decisions/response-cache.md.
 */
export function cacheResponses(
  server: FastifyInstance,
  runtime: Runtime,
  { guard, dataVersions, maxBytes }: ResponseCacheOptions,
): void {
  server.decorateReply('cacheable', null);
  if (maxBytes === 0) return;
  const responses = new ResponseCache<CacheableResponse>(maxBytes);
  const builds = new RunningBuilds();

  server.addHook('onSend', (request, reply, payload, done) => {
    const { cacheable } = reply;
    const isCacheable = cacheable !== null && [200, 304].includes(reply.statusCode);
    if (isCacheable && request.caller && isCacheableRequest(request.raw)) {
      const body = reply.statusCode === 304 ? null : bytesOf(payload as string | Buffer);
      const key = cacheKey(request.raw, request.caller.access);
      const owners = customersOf(request);
      // Each hit has the current time of the newest import instead.
      responses.set(key, reply, { etag: cacheable.etag, body, validity: cacheable, owners }, [DATA_AS_OF]);
      builds.end(request.raw, 'done');
    }
    builds.end(request.raw, 'uncacheable');
    done(null, payload);
  });

  serveCachedResponses(server, runtime, responses, (request, response) => {
    const caller = guard.cachedCaller(request);
    if (!caller) return undefined;
    const key = cacheKey(request, caller.access);
    const merges = mayBeCached(request);
    const startBuild = () => {
      if (merges) builds.start(key, request, response);
      return undefined;
    };
    const running = () => (merges ? builds.outcomeOf(key) : undefined);
    if (running() === undefined && responses.get(key) === undefined) return startBuild();

    // Read after this request arrived: what was built from these versions, or newer ones, is not stale.
    const customerIds = accessScopes(caller.access).map(({ customerId }) => customerId);
    const reading = dataVersions.read(customerIds);
    const findOrStart = async () => {
      for (;;) {
        const [versions, outcome] = await Promise.all([reading, running()]);
        if (outcome === 'uncacheable') return undefined;
        const found = responses.get(key);
        const isUseful = found && (found.body !== null || matchesEtag(request.headers, found.etag));
        if (isUseful && isCurrent(found.validity, versions)) return withDataAsOf(found, versions);
        if (running() === undefined) return startBuild();
      }
    };
    return findOrStart();
  });
}

function isCurrent(
  { kinds, seqs, receivedAtMs, untilMs }: CacheableResponse,
  versions: DataVersionRow[],
): boolean {
  const nowMs = Date.now();
  return (
    hourOf(receivedAtMs) === hourOf(nowMs) &&
    nowMs < untilMs &&
    isAsNewAs({ seqs }, toDataVersion(versions, kinds))
  );
}

/** Other imports than those that the response depends on change `X-Data-As-Of` too. */
function withDataAsOf(
  response: CachedResponse,
  versions: DataVersionRow[],
): CachedResponse & { currentHeaders: string[] } {
  const { asOfMs } = toDataVersion(versions, []);
  return {
    ...response,
    currentHeaders: asOfMs === null ? [] : [DATA_AS_OF, new Date(asOfMs).toISOString()],
  };
}

/** False for responses that are never stored: GPU lists and details change with the clock, later pages are read once. */
function mayBeCached({ url = '' }: IncomingMessage): boolean {
  return isCacheableUrl.test(url);
}

const isCacheableUrl = /^\/api\/v1\/(?:alerts(?!.*[?&]page_token=)|metrics)/;

/** Returns the customers whose data a response contains: the owners of its bytes in the write buffer. */
export function customersOf({ caller }: FastifyRequest): number[] {
  return accessScopes(caller?.access ?? []).map(({ customerId }) => customerId);
}

const bytesOf = (payload: string | Buffer) => (typeof payload === 'string' ? Buffer.from(payload) : payload);

/** Returns every input of a response except the data and the clock. */
function cacheKey({ url, headers }: IncomingMessage, access: Access): string {
  return `${url}\n${headers.origin}\n${scopesText(access)}`;
}

/** The guard caches callers, so the same `Access` object recurs. */
const textByAccess = new WeakMap<Access, string>();

function scopesText(access: Access): string {
  let text = textByAccess.get(access);
  if (text === undefined) {
    text = JSON.stringify(accessScopes(access));
    textByAccess.set(access, text);
  }
  return text;
}
