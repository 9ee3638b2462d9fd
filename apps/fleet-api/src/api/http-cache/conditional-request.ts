import { hash } from 'node:crypto';
import { matchesEtag } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessScopes } from '../access/access-scope.ts';
import type { DataVersion } from '../data-version/data-version.ts';

/** Bump when the format of a response changes, to invalidate the entity tags that clients hold. */
const RESPONSE_FORMAT_VERSION = 1;

/** Header with the time of the newest import, of any kind of data. */
export const DATA_AS_OF = 'x-data-as-of';

/** Inputs of an entity tag, in addition to the URL and the caller's access. */
export interface Validators {
  data: DataVersion;
  /** Other inputs of the response, such as the current hour. */
  variant?: unknown;
}

/** Weak when the body may come from newer data than the tag, never from older data (RFC 9110, section 8.8.1). */
export type ValidatorStrength = 'strong' | 'weak';

/** A response that the response cache may store, with what it needs to validate it. */
export interface CacheableResponse extends Pick<DataVersion, 'kinds' | 'seqs'> {
  etag: string;
  /** In ms since the epoch. */
  receivedAtMs: number;
  /** Time from which the response depends on the clock, in ms since the epoch. */
  untilMs: number;
}

declare module 'fastify' {
  interface FastifyReply {
    /** Null when the response must not be cached. */
    cacheable: CacheableResponse | null;
  }
}

interface BuiltResponse<Body> extends Validators {
  body: Body;
  /** Whether a part was cut off: another response to the same request may have it, so there is no entity tag. */
  isIncomplete?: boolean;
}

/** Functions that a handler passes to `respond`, to validate and to build its response. */
export interface ConditionalResponse<Body> {
  /** Reads the validators alone; omitted when that costs as much as `build`. */
  readValidators?(): Promise<Validators>;
  build(): Promise<BuiltResponse<Body>>;
  /** Time until which the response cache may return the response, in ms since the epoch; no limit by default. */
  cacheableUntilMs?: number;
}

/** For a response that is not requested again. */
export const NOT_CACHEABLE = 0;

/** A GET request that may carry `If-None-Match` (RFC 9110, section 13.1.2). See docs/fleet-api.md#freshness. */
export class ConditionalRequest {
  private readonly receivedAtMs = Date.now();

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly strength: ValidatorStrength,
  ) {}

  /**
   * Sets the validators of a response and builds its body, unless the client's entity tag is current: then the status
   * is 304 without a body.
   */
  async respond<Body>({
    readValidators,
    build,
    cacheableUntilMs = Infinity,
  }: ConditionalResponse<Body>): Promise<Body | undefined> {
    if (readValidators !== undefined && this.hasEntityTag) {
      const validators = await readValidators();
      const etag = this.entityTag(validators);
      if (matchesEtag(this.request.headers, etag))
        return this.notModified(etag, validators, cacheableUntilMs);
    }
    const { body, isIncomplete = false, ...validators } = await build();
    if (isIncomplete) {
      void this.reply.header('cache-control', 'private, no-store');
      this.setDataAsOf(validators);
      return body;
    }
    const etag = this.entityTag(validators);
    if (matchesEtag(this.request.headers, etag)) return this.notModified(etag, validators, cacheableUntilMs);
    this.setValidators(etag, validators, cacheableUntilMs);
    return body;
  }

  /**
   * Whether the client sent an entity tag. `*` does not count: it matches any existing resource, so the response must
   * be built first.
   */
  private get hasEntityTag(): boolean {
    const ifNoneMatch = this.request.headers['if-none-match'];
    return ifNoneMatch !== undefined && ifNoneMatch !== '*';
  }

  private notModified(etag: string, validators: Validators, untilMs: number): undefined {
    this.setValidators(etag, validators, untilMs);
    void this.reply.status(304);
  }

  /** Sets `ETag`, `X-Data-As-Of` and `Cache-Control`. */
  private setValidators(etag: string, validators: Validators, untilMs: number): void {
    const { kinds, seqs } = validators.data;
    // `private`: a request with a cookie has no Authorization header, which would keep shared caches from storing the
    // response.
    void this.reply.header('cache-control', 'private, no-cache').header('etag', etag);
    this.setDataAsOf(validators);
    if (this.strength === 'strong' && untilMs > this.receivedAtMs) {
      this.reply.cacheable = { etag, kinds, seqs, receivedAtMs: this.receivedAtMs, untilMs };
    }
  }

  private setDataAsOf({ data: { asOfMs } }: Validators): void {
    if (asOfMs !== null) void this.reply.header(DATA_AS_OF, new Date(asOfMs).toISOString());
  }

  private entityTag({ data, variant = null }: Validators): string {
    const scopes = accessScopes(this.request.caller?.access ?? []);
    const content = JSON.stringify([RESPONSE_FORMAT_VERSION, this.request.url, scopes, data.seqs, variant]);
    const weak = this.strength === 'weak' ? 'W/' : '';
    return `${weak}"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  }
}
