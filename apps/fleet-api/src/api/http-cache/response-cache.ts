import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { type DataVersion, isAsNewAs, toDataVersion } from '../data-version/data-version.ts';

/**
 * Maximum age of a cached response. It is shorter than the 8 s after which V8 collects the garbage of a process that has become idle. A
 * response that is still requested is computed once per interval.
 */
const MAX_AGE_MS = 5_000;
/** Estimated memory of an entry in addition to its body and key. */
const ENTRY_OVERHEAD_BYTES = 1024;
/** Maximum share of the cache that one entry may take, so that it cannot evict all others. */
const MAX_ENTRY_SHARE = 1 / 4;

/** A successful response, before the request's `If-None-Match` is compared. */
export interface FleetResponse {
  /** Null when a part is missing: another response to the same request may be complete. */
  etag: string | null;
  /** JSON, or the stream of an export; null when the client already has the response. */
  body: Buffer | Readable | null;
  data: DataVersion;
  /** Time until which the response may be returned from the cache, in ms since the epoch; no limit by default. */
  untilMs?: number | undefined;
}

type CachedResponse = FleetResponse & { body: Buffer };

/**
 * Stores responses until the next import that changes their data, or until they change with the clock. Each request reads the
 * current data versions (coalesced with concurrent requests), so no cached response is older than its request. See
 * docs/decisions/response-cache.md.
 */
export class ResponseCache {
  private readonly responses: LRUCache<string, CachedResponse>;
  /** Running computations by key. Each resolves to whether other requests may use the response. */
  private readonly computing = new Map<string, Promise<boolean>>();

  constructor(
    private readonly dataVersions: Pick<CoalescedDataVersions, 'read'>,
    maxBytes: number,
  ) {
    this.responses = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes * MAX_ENTRY_SHARE),
      sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_OVERHEAD_BYTES,
      ttl: MAX_AGE_MS,
      ttlAutopurge: true,
    });
  }

  /**
   * Returns the cached response if it is current, or computes it. Of concurrent requests with the same key, one computes the
   * response and the others wait for it; if it is not cacheable, each computes its own.
   *
   * @param key contains every input of the response except the data and the clock
   * @param customerIds customers whose data the response depends on
   * @throws what `compute` throws
   */
  async getOrCompute(
    key: string,
    customerIds: readonly number[],
    compute: () => Promise<FleetResponse>,
  ): Promise<FleetResponse> {
    if (!this.responses.has(key) && !this.computing.has(key)) return this.computeAndStore(key, compute);
    // Read after the request arrived: a response with these versions, or newer ones, is not older than the request.
    const versions = await this.dataVersions.read(customerIds);
    for (;;) {
      const cached = this.responses.get(key);
      if (cached !== undefined) {
        const data = toDataVersion(versions, cached.data.kinds);
        if (isCurrent(cached) && isAsNewAs(cached.data, data)) return { ...cached, data };
      }
      const computing = this.computing.get(key);
      if (computing === undefined) return this.computeAndStore(key, compute);
      if (!(await computing)) return compute();
    }
  }

  private async computeAndStore(key: string, compute: () => Promise<FleetResponse>): Promise<FleetResponse> {
    const response = compute();
    this.computing.set(key, this.store(key, response));
    return response;
  }

  /** Stores the response if it is cacheable. @returns whether other requests may use it; false if it could not be computed */
  private async store(key: string, response: Promise<FleetResponse>): Promise<boolean> {
    try {
      const computed = await response;
      const isCached = isCacheable(computed);
      if (isCached) this.responses.set(key, computed);
      return isCached;
    } catch {
      return false;
    } finally {
      this.computing.delete(key);
    }
  }
}

function isCurrent({ untilMs = Infinity }: FleetResponse): boolean {
  return Date.now() < untilMs;
}

function isCacheable(response: FleetResponse): response is CachedResponse {
  return response.etag !== null && Buffer.isBuffer(response.body) && isCurrent(response);
}
