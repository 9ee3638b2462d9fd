import type { Readable } from 'node:stream';
import type { DataVersion } from '../data-version/data-version.ts';

/** A successful response, before the request's `If-None-Match` is compared. */
export interface FleetResponse {
  /** Null when another response to the same request may have more: a part was cut off. */
  etag: string | null;
  /** JSON, or the stream of an export. Null when the client has the response. */
  body: Buffer | Readable | null;
  data: DataVersion;
  /** Time of the request, in ms since the epoch. */
  receivedAtMs: number;
  /** Time from which the response depends on the clock, in ms since the epoch; 0 when it must not be cached. */
  untilMs: number;
}

export function isCacheable(response: FleetResponse): response is FleetResponse & { body: Buffer } {
  const { etag, body, receivedAtMs, untilMs } = response;
  return etag !== null && Buffer.isBuffer(body) && receivedAtMs < untilMs;
}
