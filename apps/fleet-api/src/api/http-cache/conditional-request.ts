import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Access, MINUTE_MS } from '@gpu-observatory/domain-types';
import { matchingEtag } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessScopes, customerIdsOf } from '../access/access-scope.ts';
import type { DataVersion } from '../data-version/data-version.ts';
import type { FleetResponse, ResponseCache } from './response-cache.ts';

/** Part of each entity tag. Bump it when the format of a response changes, to invalidate the entity tags that clients have. */
const RESPONSE_FORMAT_VERSION = 1;

/** Inputs of an entity tag, in addition to the URL and the caller's access. */
export interface Validators {
  data: DataVersion;
  /** Other inputs of the response, such as the current hour. */
  variant?: unknown;
}

/** `weak` when the body may come from newer data than the tag, but never from older data (RFC 9110, section 8.8.1). */
export type ValidatorStrength = 'strong' | 'weak';

/** A request and its reply. */
export interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  strength: ValidatorStrength;
}

export interface ComputedResponse extends Validators {
  /** Bytes of JSON or of the response's media type, or an object to serialize. */
  body: Buffer | Readable | object;
  /** Whether a part is missing. Such a response has no entity tag, because another response to the same request may be complete. */
  isIncomplete?: boolean;
  /** Time until which the response is the same for the same data, in ms since the epoch; no limit by default. */
  untilMs?: number;
}

/** Return value of a handler: the body, or undefined with status 304. */
export type SentBody = Buffer | Readable | undefined;

/** Functions that validate and compute the response of a handler. */
export interface ConditionalResponse {
  /** Reads the validators alone; omitted when that costs as much as `compute`. */
  readValidators?: (() => Promise<Validators>) | undefined;
  compute(): Promise<ComputedResponse>;
  /** False for a response that is rarely requested again. By default, responses with strong validators are cached. */
  isCached?: boolean;
  /** Media type in place of JSON; part of the entity tag. Such a response is not cached. */
  mediaType?: string;
}

/** Returns the number of the current minute since the epoch. */
export function currentMinute(): number {
  return Math.floor(Date.now() / MINUTE_MS);
}

/** Returns a response that depends on the clock: its entity tag changes every minute, within which the difference is negligible. */
export function changingByMinute(compute: () => Promise<ComputedResponse>): ConditionalResponse {
  const minute = currentMinute();
  return { compute: async () => ({ ...(await compute()), variant: minute }) };
}

/** A GET request that may carry `If-None-Match` (RFC 9110, section 13.1.2). See docs/fleet-api.md#freshness. */
export class ConditionalRequest {
  constructor(
    private readonly exchange: Exchange,
    private readonly cache: ResponseCache,
  ) {}

  protected get request(): FastifyRequest {
    return this.exchange.request;
  }

  protected get reply(): FastifyReply {
    return this.exchange.reply;
  }

  /**
   * Sets the status and headers of the reply, and returns the body. If the client's entity tag is current, the status is 304
   * without a body. A response with a strong entity tag may come from the cache.
   */
  async send(response: ConditionalResponse): Promise<SentBody> {
    const { isCached = this.exchange.strength === 'strong', mediaType = 'application/json' } = response;
    const compute = () => this.validateOrCompute(response);
    const { etag, body, data } = isCached
      ? await this.cache.getOrCompute(
          `${this.request.url}\n${scopesKey(this.access)}`,
          customerIdsOf(this.access),
          compute,
        )
      : await compute();
    if (data.asOfMs !== null) void this.reply.header('x-data-as-of', new Date(data.asOfMs).toISOString());
    // `private`: a request with a cookie has no Authorization header, which would keep shared caches from storing it.
    void this.reply.header('cache-control', `private, ${etag === null ? 'no-store' : 'no-cache'}`);
    const matching = etag === null ? null : matchingEtag(this.request.headers, etag);
    if (etag !== null) void this.reply.header('etag', matching ?? etag);
    if (body === null || matching !== null) {
      void this.reply.status(304);
      return undefined;
    }
    void this.reply.type(`${mediaType}; charset=utf-8`);
    return body;
  }

  /** Returns a response without a body if the client has it; computes it otherwise. */
  private async validateOrCompute(response: ConditionalResponse): Promise<FleetResponse> {
    const { readValidators, mediaType } = response;
    if (readValidators !== undefined && this.hasEntityTag) {
      const validators = await readValidators();
      const etag = this.entityTag(validators, mediaType);
      if (matchingEtag(this.request.headers, etag) !== null)
        return { etag, body: null, data: validators.data };
    }
    const computed = await response.compute();
    const { body, data, isIncomplete = false, untilMs } = computed;
    return {
      etag: isIncomplete ? null : this.entityTag(computed, mediaType),
      body: Buffer.isBuffer(body) || body instanceof Readable ? body : Buffer.from(JSON.stringify(body)),
      data,
      untilMs,
    };
  }

  /**
   * Whether the client sent an entity tag. `*` does not count: it matches any existing resource, so the response must
   * be computed first.
   */
  private get hasEntityTag(): boolean {
    const ifNoneMatch = this.request.headers['if-none-match'];
    return ifNoneMatch !== undefined && ifNoneMatch !== '*';
  }

  protected get access(): Access {
    return this.request.caller?.access ?? [];
  }

  /** @param mediaType media type of the response; undefined for JSON */
  private entityTag({ data, variant = null }: Validators, mediaType?: string): string {
    const scopes = accessScopes(this.access);
    const inputs = [RESPONSE_FORMAT_VERSION, this.request.url, scopes, data.seqs, variant];
    const content = JSON.stringify(mediaType === undefined ? inputs : [...inputs, mediaType]);
    const weak = this.exchange.strength === 'weak' ? 'W/' : '';
    return `${weak}"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  }
}

/** Parts of cache keys. The guard caches callers, so the same `Access` object recurs. */
const scopesKeys = new WeakMap<Access, string>();

function scopesKey(access: Access): string {
  let key = scopesKeys.get(access);
  if (key === undefined) {
    key = JSON.stringify(accessScopes(access));
    scopesKeys.set(access, key);
  }
  return key;
}
