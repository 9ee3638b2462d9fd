import { REVOCATION_KINDS, type Revocation } from '@gpu-observatory/domain-types';
import { Revocations } from './revocations.ts';

/** One reading of the feed: everything revoked since the time asked for, and the time to ask from next. */
export interface RevocationPage {
  as_of: string;
  revocations: Revocation[];
}

/** Where the feed is read: account-service's internal port over HTTP, or its own table. `since` null: all that counts. */
export type RevocationSource = (since: string | null) => Promise<RevocationPage>;

const READ_EVERY_MS = 500;
/** A reading under way may have looked too early; so this, the pause and the next reading stay below 2 s together. */
const READ_TIMEOUT_MS = 700;
/** Each reading begins this much before the last one ended, so that a transaction that commits late is not missed. */
const OVERLAP_MS = 10_000;
/** All that counts is read again now and then: it heals what a transaction longer than the overlap hid. */
const READ_ALL_EVERY_MS = 60_000;

/**
 * Polls the revocation feed, so that revocations take effect within 2 s without a call per request
 * (docs/tokens.md#revocation). When the feed is unavailable, the last known revocations stay in effect.
 */
export class RevocationFeed {
  readonly revocations = new Revocations();
  private asOf: string | null = null;
  private heardAtMs: number | null = null;
  private heardAllAtMs = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly source: RevocationSource,
    private readonly onFailure: (failure: unknown) => void = () => undefined,
  ) {}

  /** Begins to follow; resolves after the first try, whatever came of it. */
  async start(): Promise<void> {
    await this.read();
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.start(), READ_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Null once the feed was heard, else what is wrong: a replica that never heard it must not get traffic. */
  get unavailableReason(): string | null {
    return this.heardAtMs === null ? 'the revocation feed was never heard' : null;
  }

  /** How old what we know is; infinite when the feed was never heard. A metric. */
  get ageSeconds(): number {
    return this.heardAtMs === null ? Infinity : (Date.now() - this.heardAtMs) / 1000;
  }

  private async read(): Promise<void> {
    try {
      const readsAll = this.asOf === null || Date.now() - this.heardAllAtMs >= READ_ALL_EVERY_MS;
      const page = checkPage(await this.source(readsAll ? null : this.overlapping(this.asOf)));
      for (const revocation of page.revocations) this.revocations.add(revocation);
      this.asOf = page.as_of;
      this.heardAtMs = Date.now();
      if (readsAll) this.heardAllAtMs = this.heardAtMs;
      this.revocations.removeExpired();
    } catch (failure) {
      this.onFailure(failure);
    }
  }

  private overlapping(asOf: string | null): string | null {
    return asOf === null ? null : new Date(Date.parse(asOf) - OVERLAP_MS).toISOString();
  }
}

/**
 * The feed on account-service's internal port, `GET /internal/v1/revocations?since=`.
 *
 * @param credential what the services of one deployment prove themselves to each other with
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
    if (!response.ok) throw new Error(`the revocation feed answered ${response.status}`);
    return (await response.json()) as RevocationPage; // checked by whoever follows it
  };
}

/**
 * Refuses a page that is no feed as a whole, so that what was heard before goes on to count. A kind of revocation that
 * this version does not know is left out: the account service may be newer.
 */
function checkPage(page: unknown): RevocationPage {
  const { as_of, revocations } = (page ?? {}) as Partial<RevocationPage>;
  if (!isTime(as_of) || !Array.isArray(revocations)) {
    throw new Error('the revocation feed answered something that is no feed');
  }
  const known = revocations.filter((entry) => REVOCATION_KINDS.includes(entry?.kind));
  if (!known.every(({ id, not_before }) => typeof id === 'string' && id !== '' && isTime(not_before))) {
    throw new Error('the revocation feed answered an entry without an id or a time');
  }
  return { as_of, revocations: known };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && !Number.isNaN(Date.parse(value));
}
