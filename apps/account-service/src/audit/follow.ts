import { setTimeout } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { type AuditRow, readAuditEvents } from './audit.queries.ts';

const POLL_INTERVAL_MS = SECOND_MS;
/** An event becomes visible at the commit of its transaction, which may be later than its time. */
const OVERLAP_MS = MINUTE_MS;

/**
 * Yields events from `since` on, in the order in which they become visible, and waits for more. Each event is yielded once,
 * unless its transaction took longer than a minute.
 */
export async function* followAuditEvents(
  queryable: Queryable,
  { since, customer }: { since: Date; customer?: string | undefined },
): AsyncGenerator<AuditRow[]> {
  /** Ids and times of the yielded events that the next read returns again. */
  const yielded = new Map<number, Date>();
  for (let from = since; ; await setTimeout(POLL_INTERVAL_MS)) {
    let newest = from;
    for await (const events of readAuditEvents(queryable, { since: from, customer })) {
      const unseen = events.filter(({ id }) => !yielded.has(id));
      for (const { id, occurred_at: time } of unseen) yielded.set(id, time);
      if (unseen.length > 0) yield unseen;
      newest = events.at(-1)?.occurred_at ?? newest;
    }
    from = new Date(Math.max(from.getTime(), newest.getTime() - OVERLAP_MS));
    for (const [id, time] of yielded) if (time < from) yielded.delete(id);
  }
}
