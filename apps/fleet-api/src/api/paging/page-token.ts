import { createHash, hash } from 'node:crypto';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import { z } from 'zod';
import type { DataVersion } from '../data-version/data-version.ts';

const HOUR_MS = 3_600_000;
/** Walks expire a day after the hour that they began in, before the past states that they read are dropped. */
const LIFETIME_MS = 25 * HOUR_MS;
const VERSION = 1;
const CHECKSUM_BYTES = 9;
const LONGEST_TOKEN = 8_192;
const NOT_OURS = 'is not one that this API gave out; leave it out to begin again';

/** Where a walk is: what it saw on page 1, and the last row served. */
export interface PageToken<Key> {
  /** The hour in which page 1 was read: a walk expires, however late its last page came. */
  beganAtMs: number;
  /** The data that page 1 was made of: the walk serves what was there then. */
  data: DataVersion;
  /** The sort key of the last row served. */
  after: Key;
}

/** The last millisecond of the year 9999. */
export const LATEST_MS = 253_402_300_799_999;

const whole = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const payloadSchema = z.tuple([
  z.literal(VERSION),
  z.string(),
  whole,
  z.array(z.tuple([whole, whole])),
  whole.max(LATEST_MS).nullable(),
  z.unknown(),
]);

/** The hour that a walk begins in: for as long as it lasts, the same page 1 of the same data gives the same token. */
export function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}

/**
 * Writes a token, bound to everything of the request but `page_size`. It is opaque and carries no authority: access is
 * checked anew on each page, so a checksum against mistakes is enough.
 *
 * @param query sort, filters, window and scope, in any stable form
 */
export function writePageToken<Key>(token: PageToken<Key>, query: string): string {
  const { beganAtMs, data, after } = token;
  const content = [VERSION, queryDigest(query), beganAtMs, data.positions, data.asOfMs, after];
  const payload = Buffer.from(JSON.stringify(content));
  return Buffer.concat([checksum(payload), payload]).toString('base64url');
}

/**
 * @param sortKey what the last row served must look like: whoever can compute a checksum may still write nonsense
 * @throws {DomainError} `invalid_cursor`, saying what is wrong with the token
 */
export function readPageToken<Key>(
  text: string,
  query: string,
  sortKey: z.ZodType<Key>,
  nowMs = Date.now(),
): PageToken<Key> {
  const content = readContent(text);
  if (content === null) throw refusal(NOT_OURS);
  if (Array.isArray(content) && content[0] !== VERSION) {
    throw refusal('is of another version of this API; leave it out to begin again');
  }
  const payload = payloadSchema.safeParse(content);
  if (!payload.success) throw refusal(NOT_OURS);
  const [, digest, beganAtMs, positions, asOfMs, last] = payload.data;
  if (digest !== queryDigest(query)) {
    throw refusal('belongs to another query; repeat the sort, filters, window and scope of the first page');
  }
  if (beganAtMs < nowMs - LIFETIME_MS) {
    throw refusal('has expired a day after the first page; leave it out to begin again');
  }
  const after = sortKey.safeParse(last);
  if (!after.success) throw refusal(NOT_OURS);
  return { beganAtMs, data: { positions, asOfMs }, after: after.data };
}

/**
 * A walk serves what its customers had when it began: for who sees other ones it would end early, and look complete.
 *
 * @param customerIds those that the caller sees now
 * @throws {DomainError} `invalid_cursor` when the walk is of a customer that is not among them
 */
export function refuseForeignToken({ data }: PageToken<unknown>, customerIds: readonly number[]): void {
  if (data.positions.some(([customerId]) => !customerIds.includes(customerId))) {
    throw refusal('was given to somebody who sees other customers; leave it out to begin again');
  }
}

/** What an intact token holds; null when it is none. */
function readContent(text: string): unknown {
  if (text.length > LONGEST_TOKEN || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // A text may end in bits that belong to no byte: of all texts of these bytes only the one we wrote counts.
  if (bytes.toString('base64url') !== text) return null;
  const payload = bytes.subarray(CHECKSUM_BYTES);
  if (!checksum(payload).equals(bytes.subarray(0, CHECKSUM_BYTES))) return null;
  try {
    return JSON.parse(payload.toString());
  } catch {
    return null;
  }
}

function refusal(why: string): DomainError {
  return new DomainError(fleetErrors.invalidCursor, `page_token ${why}`);
}

function checksum(payload: Buffer): Buffer {
  return createHash('sha256')
    .update('gpu-observatory page token')
    .update(payload)
    .digest()
    .subarray(0, CHECKSUM_BYTES);
}

function queryDigest(query: string): string {
  return hash('sha256', query, 'base64url').slice(0, 12);
}
