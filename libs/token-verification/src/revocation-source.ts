import { REVOCATION_KINDS, type Revocation } from '@gpu-observatory/domain-types';
import { SESSION_ENTRY_BYTES } from './revoked-sessions.ts';

/** One page of the feed, in the compact format (`docs/tokens.md#revocation`). */
export interface RevocationPage {
  /** Time of the database before it read the page. */
  as_of: string;
  /** Position of the next page; null or absent on the last one. */
  next?: string | null;
  revocations: Revocation[];
  /** Revoked sessions that are not in `revocations`: `SESSION_ENTRY_BYTES` each, in base64. */
  sessions?: string;
}

export interface RevocationPosition {
  /** Start of the read, an RFC 3339 timestamp; null reads all current revocations. */
  since: string | null;
  /** `next` of the previous page; null on the first page. */
  after: string | null;
}

/** Reads a page of the feed: over HTTP in other services, from its own table in account-service. */
export type RevocationSource = (
  position: RevocationPosition,
  /** Time limit of the read. */
  timeoutMs: number,
) => Promise<RevocationPage>;

/**
 * Reads the feed on the internal port of account-service, `GET /internal/v1/revocations`.
 *
 * @param credential shared secret of the services of one deployment
 */
export function httpRevocationSource(internalUrl: string, credential: string): RevocationSource {
  return async ({ since, after }, timeoutMs) => {
    const url = new URL('/internal/v1/revocations', internalUrl);
    url.searchParams.set('format', 'compact');
    if (since !== null) url.searchParams.set('since', since);
    if (after !== null) url.searchParams.set('after', after);
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${credential}`, accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`the revocation feed returned ${response.status}`);
    return (await response.json()) as RevocationPage; // checkPage validates it
  };
}

interface CheckedPage {
  asOf: string;
  next: string | null;
  revocations: Revocation[];
  sessions: Buffer;
}

/**
 * Validates a page. An invalid page is rejected as a whole. Unknown kinds of revocation are ignored, because
 * account-service may be newer.
 *
 * @throws {Error}
 */
export function checkPage(page: unknown): CheckedPage {
  const { as_of: asOf, next = null, revocations, sessions = '' } = (page ?? {}) as Partial<RevocationPage>;
  const isNext = next === null || (typeof next === 'string' && next !== '');
  if (!isTime(asOf) || !isNext || !Array.isArray(revocations) || typeof sessions !== 'string') {
    throw new Error('the revocation feed returned a malformed page');
  }
  const known = revocations.filter((entry) => REVOCATION_KINDS.includes(entry?.kind));
  if (!known.every(({ id, not_before }) => typeof id === 'string' && id !== '' && isTime(not_before))) {
    throw new Error('the revocation feed returned an entry without an id or a time');
  }
  const entries = Buffer.from(sessions, 'base64');
  if (entries.length % SESSION_ENTRY_BYTES !== 0) {
    throw new Error('the revocation feed returned an incomplete list of sessions');
  }
  return { asOf, next, revocations: known, sessions: entries };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}
