import type { IncomingMessage } from 'node:http';
import type { Access } from '@gpu-observatory/domain-types';
import {
  isCacheableRequest,
  ResponseCache,
  type Runtime,
  serveCachedResponses,
} from '@gpu-observatory/service-runtime';
import type { BearerGuard } from '@gpu-observatory/token-verification';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessScopes } from '../access/access-scope.ts';
import type { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { hourOf } from '../paging/page-token.ts';
import type { CacheableResponse } from './conditional-request.ts';

export interface ResponseCacheOptions {
  guard: Pick<BearerGuard, 'cachedCaller'>;
  dataVersions: CoalescedDataVersions;
  /** 0 disables the cache. */
  maxBytes: number;
}

/**
 * Serves repeated requests of callers with the same access from memory, until the next import for one of their
 * customers or the end of the hour. Each request reads the current data versions (coalesced with concurrent requests),
 * so no cached response is stale, and verifies the token as usual. See docs/decisions/response-cache.md.
 */
export function cacheResponses(
  server: FastifyInstance,
  runtime: Runtime,
  { guard, dataVersions, maxBytes }: ResponseCacheOptions,
): void {
  server.decorateReply('cacheable', null);
  if (maxBytes === 0) return;
  const responses = new ResponseCache<CacheableResponse>(maxBytes);

  server.addHook('onSend', (request, reply, payload, done) => {
    const { cacheable } = reply;
    const isCacheable = cacheable !== null && [200, 304].includes(reply.statusCode);
    if (isCacheable && request.caller && isCacheableRequest(request.raw)) {
      const body = reply.statusCode === 304 ? null : bytesOf(payload as string | Buffer);
      const key = cacheKey(request.raw, request.caller.access);
      const owners = customersOf(request);
      responses.set(key, reply, { etag: cacheable.etag, body, validity: cacheable, owners });
    }
    done(null, payload);
  });

  serveCachedResponses(server, runtime, responses, (request) => {
    const caller = guard.cachedCaller(request);
    const response = caller && responses.get(cacheKey(request, caller.access));
    if (!response || hourOf(response.validity.receivedAtMs) !== hourOf(Date.now())) return undefined;
    const customerIds = accessScopes(caller.access).map(({ customerId }) => customerId);
    return dataVersions.read(customerIds).then((current) => {
      const { seqs } = response.validity;
      const isCurrent =
        current.length === seqs.length &&
        current.every(([customerId, seq], n) => seqs[n]?.[0] === customerId && seqs[n][1] === seq);
      return isCurrent ? response : undefined;
    });
  });
}

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
