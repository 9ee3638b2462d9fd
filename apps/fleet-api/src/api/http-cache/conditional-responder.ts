import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { matchingEtag } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessOf, accessScopes, customerIdsOfCaller } from '../access/access-scope.ts';
import type { ConditionalResponse, Validators } from './conditional-response.ts';
import { type FleetResponse, ResponseCache } from './response-cache.ts';

/** Part of each entity tag. Bump it when the format of a response changes, to invalidate the entity tags that clients have. */
const RESPONSE_FORMAT_VERSION = 1;

/** Return value of a handler: the body, or undefined with status 304. */
export type SentBody = Buffer | Readable | undefined;

/**
 * Responds to GET requests that may carry `If-None-Match` (RFC 9110, section 13.1.2). See docs/fleet-api.md#freshness, and
 * docs/decisions/response-cache.md#no-interceptor for the reason why handlers call it with their reply.
 */
@Injectable()
export class ConditionalResponder {
  /** @param cache null where it is disabled */
  constructor(@Inject(ResponseCache) private readonly cache: ResponseCache | null) {}

  /**
   * Sets the status and headers of the reply, and returns the body. If the client's entity tag is current, the status is 304
   * without a body. A response with a strong entity tag may come from the cache.
   */
  async send(reply: FastifyReply, response: ConditionalResponse): Promise<SentBody> {
    const { request } = reply;
    const { isWeak = false, mediaType, isCached = !isWeak && mediaType === undefined } = response;
    const compute = () => validateOrCompute(request, response);
    const { etag, body, data } =
      isCached && this.cache !== null
        ? await this.cache.getOrCompute(cacheKeyOf(request), customerIdsOfCaller(request), compute)
        : await compute();
    if (data.asOfMs !== null) void reply.header('x-data-as-of', new Date(data.asOfMs).toISOString());
    // `private`: a request with a cookie has no Authorization header, which would keep shared caches from storing it.
    void reply.header('cache-control', `private, ${etag === null ? 'no-store' : 'no-cache'}`);
    const matching = etag === null ? null : matchingEtag(request.headers, etag);
    if (etag !== null) void reply.header('etag', matching ?? etag);
    if (body === null || matching !== null) {
      void reply.status(304);
      return undefined;
    }
    void reply.type(`${mediaType ?? 'application/json'}; charset=utf-8`);
    return body;
  }
}

/** Returns a response without a body if the client has it; computes it otherwise. */
async function validateOrCompute(
  request: FastifyRequest,
  response: ConditionalResponse,
): Promise<FleetResponse> {
  if (response.readValidators !== undefined && hasEntityTag(request)) {
    const validators = await response.readValidators();
    const etag = entityTagOf(request, response, validators);
    if (matchingEtag(request.headers, etag) !== null) return { etag, body: null, data: validators.data };
  }
  const computed = await response.compute();
  const { body, data, isIncomplete = false, untilMs } = computed;
  return {
    etag: isIncomplete ? null : entityTagOf(request, response, computed),
    body: Buffer.isBuffer(body) || body instanceof Readable ? body : Buffer.from(JSON.stringify(body)),
    data,
    untilMs,
  };
}

/**
 * Returns whether the client sent an entity tag. `*` does not count: it matches any existing resource, so the response must
 * be computed first.
 */
function hasEntityTag({ headers }: FastifyRequest): boolean {
  const ifNoneMatch = headers['if-none-match'];
  return ifNoneMatch !== undefined && ifNoneMatch !== '*';
}

function entityTagOf(
  request: FastifyRequest,
  { isWeak = false, mediaType }: ConditionalResponse,
  { data, variant = null }: Validators,
): string {
  const scopes = accessScopes(accessOf(request));
  const inputs = [RESPONSE_FORMAT_VERSION, request.url, scopes, data.seqs, variant];
  const content = JSON.stringify(mediaType === undefined ? inputs : [...inputs, mediaType]);
  return `${isWeak ? 'W/' : ''}"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
}

function cacheKeyOf(request: FastifyRequest): string {
  return `${request.url}\n${JSON.stringify(accessScopes(accessOf(request)))}`;
}
