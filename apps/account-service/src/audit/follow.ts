import { setTimeout } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { type AuditRow, readAuditEventsAfter } from './audit.queries.ts';

const POLL_INTERVAL_MS = SECOND_MS;
/** An event becomes visible at the commit of its transaction, which may be later than its time. */
const OVERLAP_MS = MINUTE_MS;
const BATCH_ROWS = 1_000;

/**
 * Yields events from `since` on, in the order in which they become visible, and waits for more. Each event is yielded once,
 * unless its transaction took longer than a minute.
 */
export async function* followAuditEvents(
  queryable: Queryable,
  { since, customer }: { since: Date; customer?: string | undefined },
): AsyncGenerator<AuditRow[]> {
  /** Times of the events within the overlap, by id. */
  const seen = new Map<number, Date>();
  let latest = since;
  for (;;) {
    let after = { occurred_at: new Date(Math.max(since.getTime(), latest.getTime() - OVERLAP_MS)), id: 0 };
    for (const [id, time] of seen) if (time < after.occurred_at) seen.delete(id);
    for (let count = BATCH_ROWS; count === BATCH_ROWS;) {
      const events = await readAuditEventsAfter(queryable, after, { customer }, BATCH_ROWS);
      const unseen = events.filter(({ id }) => !seen.has(id));
      for (const { id, occurred_at: time } of unseen) seen.set(id, time);
      if (unseen.length > 0) yield unseen;
      count = events.length;
      after = events.at(-1) ?? after;
      if (after.occurred_at > latest) latest = after.occurred_at;
    }
    await setTimeout(POLL_INTERVAL_MS);
  }
}
