import { hash } from 'node:crypto';
import { END_OF_9999_MS, HOUR_MS, MAX_ID, SECOND_MS } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/service-runtime/process';
import { MAX_CLOCK_SKEW_SECONDS } from '@gpu-observatory/token-verification';
import { z } from 'zod';
import { PAGE_TOKEN_HOURS } from '../../model/alerts/past-states.ts';
import type { DataVersion } from '../data-version/data-version.ts';

/**
 * Maximum time that the clock of another replica may be ahead. Tokens of a later time are rejected, because a client could compute
 * tokens that never expire.
 */
const MAX_CLOCK_SKEW_MS = MAX_CLOCK_SKEW_SECONDS * SECOND_MS;
const FORMAT_VERSION = 1;
const CHECKSUM_BYTES = 9;
const CHECKSUM_PREFIX = Buffer.from('gpu-observatory page token');
const MAX_LENGTH = 8_192;
const MALFORMED = 'was not issued by this API; omit it to restart from the first page';

/** State of a pagination: the data version of the first page, and the last row served. See docs/fleet-api.md#pagination. */
export interface PageToken<Key> {
  /** Start of the hour in which the first page was read. */
  startedHourMs: number;
  /** The data that the first page was read from; later pages are read as of it. */
  data: Pick<DataVersion, 'seqs' | 'changedAtMs'>;
  /** The sort key of the last row served. */
  after: Key;
}

// Schemas of the parts of a sort key. They accept only values that the database accepts, because a client can compute a token.
export const keyText = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'));
export const keyInteger = z.int().min(0).max(MAX_ID);
export const keyTime = z.int().min(0).max(END_OF_9999_MS);

const nonNegative = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
/** The elements that `encodePageToken` writes. */
const payloadSchema = z.tuple([
  z.literal(FORMAT_VERSION),
  z.string(),
  nonNegative,
  z.array(z.tuple([nonNegative, nonNegative])),
  nonNegative.max(END_OF_9999_MS).nullable(),
  z.unknown(),
]);

/** Returns the start of the hour. First pages of the same data within an hour contain the same token. */
export function startOfHour(ms: number): number {
  return Math.floor(ms / HOUR_MS) * HOUR_MS;
}

/**
 * Encodes a token. It grants no access: each page is checked against the caller's access. The checksum only detects
 * accidental changes.
 *
 * @param query all parameters except `page_size` and the token, in a stable order
 */
export function encodePageToken<Key>(token: PageToken<Key>, query: string): string {
  const { startedHourMs, data, after } = token;
  const content = [FORMAT_VERSION, queryDigest(query), startedHourMs, data.seqs, data.changedAtMs, after];
  const payload = Buffer.from(JSON.stringify(content));
  return Buffer.concat([checksum(payload), payload]).toString('base64url');
}

/**
 * Decodes and validates a token.
 *
 * @param sortKey schema of the last row's key, which is validated because a client can compute a valid checksum for any content
 * @throws {DomainError} `invalid_cursor`
 */
export function parsePageToken<Key>(
  text: string,
  query: string,
  sortKey: z.ZodType<Key>,
  nowMs = Date.now(),
): PageToken<Key> {
  const content = parseContent(text);
  if (content === null) throw invalidCursor(MALFORMED);
  if (Array.isArray(content) && content[0] !== FORMAT_VERSION) {
    throw invalidCursor('was issued by another version of this API; omit it to restart from the first page');
  }
  const payload = payloadSchema.safeParse(content);
  if (!payload.success) throw invalidCursor(MALFORMED);
  const [, digest, startedHourMs, seqs, changedAtMs, last] = payload.data;
  if (digest !== queryDigest(query)) {
    throw invalidCursor(
      'belongs to another query; repeat the sort, filters, window and scope of the first page',
    );
  }
  if (startedHourMs < nowMs - PAGE_TOKEN_HOURS * HOUR_MS) {
    throw invalidCursor(
      'has expired, a day after the first page was read; omit it to restart from the first page',
    );
  }
  if (startedHourMs > nowMs + MAX_CLOCK_SKEW_MS) {
    throw invalidCursor('starts in the future; omit it to restart from the first page');
  }
  const after = sortKey.safeParse(last);
  if (!after.success) throw invalidCursor(MALFORMED);
  return { startedHourMs, data: { seqs, changedAtMs }, after: after.data };
}

/**
 * Rejects a token whose first page included customers that the caller may not read: the pagination would end early and
 * look complete.
 *
 * @param customerIds the customers in the caller's scope
 * @throws {DomainError} `invalid_cursor`
 */
export function rejectForeignToken({ data }: PageToken<unknown>, customerIds: readonly number[]): void {
  if (data.seqs.some(([customerId]) => !customerIds.includes(customerId))) {
    throw invalidCursor(
      'was issued to a caller with access to other customers; omit it to restart from the first page',
    );
  }
}

/** Decodes the content of a token. @returns null when the token is malformed */
function parseContent(text: string): unknown {
  if (text.length > MAX_LENGTH || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  // The last character may have unused bits (RFC 4648, section 3.5): accept only the canonical encoding.
  if (bytes.toString('base64url') !== text) return null;
  const payload = bytes.subarray(CHECKSUM_BYTES);
  if (!checksum(payload).equals(bytes.subarray(0, CHECKSUM_BYTES))) return null;
  try {
    return JSON.parse(payload.toString());
  } catch {
    return null;
  }
}

function invalidCursor(reason: string): DomainError {
  return new DomainError(fleetErrors.invalidCursor, `page_token ${reason}`);
}

function checksum(payload: Buffer): Buffer {
  return hash('sha256', Buffer.concat([CHECKSUM_PREFIX, payload]), 'buffer').subarray(0, CHECKSUM_BYTES);
}

function queryDigest(query: string): string {
  return hash('sha256', query, 'base64url').slice(0, 12);
}
