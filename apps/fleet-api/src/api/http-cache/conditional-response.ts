import type { Readable } from 'node:stream';
import { MINUTE_MS } from '@gpu-observatory/domain-types';
import type { DataVersion } from '../data-version/data-version.ts';

/** Inputs of an entity tag, in addition to the URL and the caller's access. */
export interface Validators {
  data: DataVersion;
  /** Other inputs of the response, such as the current hour. */
  variant?: unknown;
}

export interface ComputedResponse extends Validators {
  /** Bytes of JSON or of the response's media type, or an object to serialize. */
  body: Buffer | Readable | object;
  /** Whether a part is missing. Such a response has no entity tag, because another response to the same request may be complete. */
  isIncomplete?: boolean;
  /** Time until which the response is the same for the same data, in ms since the epoch; no limit by default. */
  untilMs?: number;
}

/** Functions that validate and compute the response of a handler. */
export interface ConditionalResponse {
  /** Reads the validators alone; omitted when that costs as much as `compute`. */
  readValidators?: (() => Promise<Validators>) | undefined;
  compute(): Promise<ComputedResponse>;
  /** Whether the body may come from newer data than the entity tag, but never from older data (RFC 9110, section 8.8.1). */
  isWeak?: boolean | undefined;
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
  return { isWeak: true, compute: async () => ({ ...(await compute()), variant: minute }) };
}
