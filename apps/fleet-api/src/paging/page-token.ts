import { createHash } from 'node:crypto';
import { DomainError, fleetFailures } from '@gpu-observatory/error-envelopes';

/** Walks expire with the past states that they read (docs/decisions, a walk is a snapshot). */
const LIFETIME_MS = 24 * 3_600_000;
const VERSION = 1;
const CHECKSUM_BYTES = 9;
const LONGEST_TOKEN = 8_192;

/** Where a walk is: what it saw on page 1, and the last row served. */
export interface PageToken {
  /** The position of each customer when page 1 was read: the walk serves what was there then. */
  positions: [customerId: number, seq: number][];
  /** The sort key of the last row served. */
  after: (string | number | null)[];
}

/**
 * Writes a token, bound to everything of the request but `page_size`. It is opaque and carries no authority: access is
 * checked anew on each page, so a checksum against mistakes is enough.
 *
 * @param query sort, filters, window and scope, in any stable form
 */
export function writePageToken(token: PageToken, query: string, nowMs = Date.now()): string {
  const payload = Buffer.from(
    JSON.stringify([VERSION, nowMs, queryDigest(query), token.positions, token.after]),
  );
  return Buffer.concat([checksum(payload), payload]).toString('base64url');
}

/** @throws {DomainError} `invalid_cursor`, saying what is wrong with the token */
export function readPageToken(text: string, query: string, nowMs = Date.now()): PageToken {
  const refuse = (why: string) => new DomainError(fleetFailures.invalidCursor, `page_token ${why}`);
  const malformed = 'is not one that this API gave out; leave it out to begin again';
  if (text.length > LONGEST_TOKEN || !/^[A-Za-z0-9_-]+$/.test(text)) throw refuse(malformed);
  const bytes = Buffer.from(text, 'base64url');
  const payload = bytes.subarray(CHECKSUM_BYTES);
  // A text may end in bits that belong to no byte: of all texts of these bytes only the one we wrote counts.
  const intact =
    bytes.toString('base64url') === text && checksum(payload).equals(bytes.subarray(0, CHECKSUM_BYTES));
  if (!intact) throw refuse(malformed);
  const [version, issuedAtMs, digest, positions, after] = JSON.parse(payload.toString()) as [
    number,
    number,
    string,
    PageToken['positions'],
    PageToken['after'],
  ];
  if (version !== VERSION) throw refuse('is of another version of this API; leave it out to begin again');
  if (digest !== queryDigest(query)) {
    throw refuse('belongs to another query; repeat the sort, filters, window and scope of the first page');
  }
  if (issuedAtMs < nowMs - LIFETIME_MS)
    throw refuse('has expired after 24 hours; leave it out to begin again');
  return { positions, after };
}

function checksum(payload: Buffer): Buffer {
  return createHash('sha256')
    .update('gpu-observatory page token')
    .update(payload)
    .digest()
    .subarray(0, CHECKSUM_BYTES);
}

function queryDigest(query: string): string {
  return createHash('sha256').update(query).digest('base64url').slice(0, 12);
}
