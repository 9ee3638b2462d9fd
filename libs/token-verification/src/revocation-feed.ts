import { REVOCATION_KINDS, type Revocation } from '@gpu-observatory/domain-types';
import { Revocations } from './revocations.ts';

/** All revocations since a time, and the `since` of the next request. */
export interface RevocationPage {
  as_of: string;
  revocations: Revocation[];
}

/** Reads the feed over HTTP or, inside of account-service, from its table. `since` null: all current revocations. */
export type RevocationSource = (since: string | null) => Promise<RevocationPage>;

const READ_INTERVAL_MS = 500;
/** A revocation may come just after a read began. That read, the interval and the next read take less than 2 s. */
const READ_TIMEOUT_MS = 700;
/** Overlap of consecutive reads, for transactions that commit late. */
const OVERLAP_MS = 10_000;
/** Interval of full reads, for transactions that take longer than the overlap. */
const FULL_READ_INTERVAL_MS = 60_000;

/**
 * Polls the revocation feed, so that revocations take effect within 2 s without a call per request
 * (docs/account-service.md#revocation). While the feed is unavailable, the known revocations stay in effect.
 */
export class RevocationFeed {
  readonly revocations = new Revocations();
  private asOf: string | null = null;
  private lastReadMs: number | null = null;
  private lastFullReadMs = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly source: RevocationSource,
    private readonly onError: (error: unknown) => void = () => undefined,
  ) {}

  /** Starts polling. Resolves after the first read, also when it failed. */
  async start(): Promise<void> {
    await this.read();
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.start(), READ_INTERVAL_MS);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Null after the first successful read: a readiness check, because a replica without the feed accepts revoked tokens. */
  get unavailableReason(): string | null {
    return this.lastReadMs === null ? 'the revocation feed has not been read yet' : null;
  }

  /** Seconds since the last successful read, for a metric; infinite before the first one. */
  get ageSeconds(): number {
    return this.lastReadMs === null ? Infinity : (Date.now() - this.lastReadMs) / 1000;
  }

  private async read(): Promise<void> {
    try {
      const isFullRead = this.asOf === null || Date.now() - this.lastFullReadMs >= FULL_READ_INTERVAL_MS;
      const page = validatePage(await this.source(isFullRead ? null : this.overlapping(this.asOf)));
      for (const revocation of page.revocations) this.revocations.add(revocation);
      this.asOf = page.as_of;
      this.lastReadMs = Date.now();
      if (isFullRead) this.lastFullReadMs = this.lastReadMs;
      this.revocations.removeExpired();
    } catch (error) {
      this.onError(error);
    }
  }

  private overlapping(asOf: string | null): string | null {
    return asOf === null ? null : new Date(Date.parse(asOf) - OVERLAP_MS).toISOString();
  }
}

/**
 * Reads the feed from account-service's internal port, `GET /internal/v1/revocations?since=`.
 *
 * @param credential the shared secret of the deployment's services
 */
export function httpRevocationSource(internalUrl: string, credential: string): RevocationSource {
  return async (since) => {
    const url = new URL('/internal/v1/revocations', internalUrl);
    if (since !== null) url.searchParams.set('since', since);
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${credential}`, accept: 'application/json' },
      signal: AbortSignal.timeout(READ_TIMEOUT_MS),
      redirect: 'error',
    });
    if (!response.ok) throw new Error(`the revocation feed returned ${response.status}`);
    return (await response.json()) as RevocationPage; // validated by RevocationFeed
  };
}

/**
 * Rejects a malformed page as a whole, so that the known revocations stay in effect. Skips unknown kinds of revocations,
 * because account-service may be newer.
 */
function validatePage(page: unknown): RevocationPage {
  const { as_of, revocations } = (page ?? {}) as Partial<RevocationPage>;
  if (!isTime(as_of) || !Array.isArray(revocations)) {
    throw new Error('the revocation feed returned a malformed page');
  }
  const known = revocations.filter((entry) => REVOCATION_KINDS.includes(entry?.kind));
  if (!known.every(({ id, not_before }) => typeof id === 'string' && id !== '' && isTime(not_before))) {
    throw new Error('the revocation feed returned an entry without an id or a time');
  }
  return { as_of, revocations: known };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}
