import { hash } from 'node:crypto';
import { matchesEtag } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessScopes } from '../access/access-scope.ts';
import type { DataVersion } from '../data-version/data-version.ts';

/** Bump when the format of a response changes, to invalidate the entity tags that clients hold. */
const RESPONSE_FORMAT_VERSION = 1;

/** What an entity tag is derived from, in addition to the URL and the caller's access. */
export interface Validators {
  data: DataVersion;
  /** Other inputs of the response, such as the current hour. */
  variant?: unknown;
}

/** Weak when the body may come from newer data than the tag, never from older data (RFC 9110, section 8.8.1). */
export type ValidatorStrength = 'strong' | 'weak';

/** A response that the response cache may store, with what it needs to validate it. */
export interface CacheableResponse {
  etag: string;
  seqs: DataVersion['seqs'];
  /** In ms since the epoch. */
  receivedAtMs: number;
}

declare module 'fastify' {
  interface FastifyReply {
    /** Null when the response must not be cached. */
    cacheable: CacheableResponse | null;
  }
}

/** A GET request that may carry `If-None-Match`, and the reply that it is compared with. */
export class ConditionalRequest {
  private readonly receivedAtMs = Date.now();

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly strength: ValidatorStrength,
  ) {}

  /** Whether the client sent an entity tag. `*` is none: it matches any response, but the resource must exist. */
  get hasEntityTag(): boolean {
    const ifNoneMatch = this.request.headers['if-none-match'];
    return ifNoneMatch !== undefined && ifNoneMatch !== '*';
  }

  isNotModified(validators: Validators): boolean {
    return matchesEtag(this.request.headers, this.entityTag(validators));
  }

  /**
   * Sets `ETag`, `X-Data-As-Of` and `Cache-Control`, and status 304 when the client's entity tag matches.
   *
   * @returns whether it matches
   */
  setValidators(validators: Validators, cacheable: boolean): boolean {
    const etag = this.entityTag(validators);
    const { seqs, asOfMs } = validators.data;
    // `private`: a request with a cookie has no Authorization header, which would keep shared caches from storing the response.
    void this.reply.headers({ 'cache-control': 'private, no-cache', etag });
    if (asOfMs !== null) void this.reply.header('x-data-as-of', new Date(asOfMs).toISOString());
    if (this.strength === 'strong' && cacheable) {
      this.reply.cacheable = { etag, seqs, receivedAtMs: this.receivedAtMs };
    }
    const isNotModified = matchesEtag(this.request.headers, etag);
    if (isNotModified) void this.reply.status(304);
    return isNotModified;
  }

  private entityTag({ data, variant = null }: Validators): string {
    const scopes = accessScopes(this.request.caller?.access ?? []);
    const content = JSON.stringify([RESPONSE_FORMAT_VERSION, this.request.url, scopes, data.seqs, variant]);
    const weak = this.strength === 'weak' ? 'W/' : '';
    return `${weak}"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  }
}
