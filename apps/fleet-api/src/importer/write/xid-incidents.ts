import { MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { addMs } from '../../model/health/health-signal.ts';
import { isWithinReach, MAX_REACH_MS } from '../../model/health/xid-incident.ts';
import type { BatchContext } from './batch-context.ts';
import { type NewXid, resolveIncidents } from './resolve-incidents.ts';
import { type TimelineXid, timelineXid, type XidSource } from './xid-alert.ts';
import { occurrenceOf, type XidEvent, xidEventKey } from './xid-event.ts';
import { insertXidEvents, readXidEvents, updateXidEvents, type XidSpan } from './xid-events.ts';

/** Time before an event in which all others are read. It is longer than the pause between incidents. */
const CONTEXT_MS = MINUTE_MS + SECOND_MS;

/**
 * XID events of one batch: finds their incidents, which other batches may have opened, counts the incidents and raises
 * their alerts. The caller holds the lock of the customer's data version, so no other session adds events.
 */
export class XidIncidents {
  /** The stored events that `load` has read, by GPU and code. */
  private stored = new Map<string, XidEvent[]>();
  /** Keys of the stored and the added events. */
  private readonly knownKeys = new Set<string>();
  /** New events by GPU and code. */
  private readonly added = new Map<string, NewXid[]>();

  constructor(private readonly context: BatchContext) {}

  /** Reads the stored events around new ones. */
  async load(events: XidEvent[]): Promise<void> {
    if (events.length === 0) return;
    const spans = [...Map.groupBy(events, keyOf).values()].map(spanOf);
    const rows = await readXidEvents(this.context.connection, this.context.customerId, spans);
    this.stored = Map.groupBy(rows, keyOf);
    for (const row of rows) this.knownKeys.add(xidEventKey(row));
  }

  /** Adds an event. @returns false if it is already stored or repeated in the batch */
  add(event: XidEvent, source: XidSource): boolean {
    const eventKey = xidEventKey(event);
    if (this.knownKeys.has(eventKey)) return false;
    this.knownKeys.add(eventKey);
    const key = keyOf(event);
    const added = this.added.get(key);
    if (added === undefined) this.added.set(key, [{ event, source }]);
    else added.push({ event, source });
    return true;
  }

  /** Returns a known line of the driver with the XID that a gauge shows. */
  driverEventOf(gauge: XidEvent): XidEvent | undefined {
    const key = keyOf(gauge);
    const added = this.added.get(key)?.map(({ event }) => event) ?? [];
    return [...(this.stored.get(key) ?? []), ...added].find(
      (event) => event.reach_ms === 0 && isWithinReach(occurrenceOf(gauge), occurrenceOf(event)),
    );
  }

  /** Writes the added events and the changes of the incidents around them. @returns the XIDs with an alert */
  async write(): Promise<TimelineXid[]> {
    const resolved = [...this.added].map(([key, added]) => ({
      gpu: this.context.gpus.getKnown((added[0] as NewXid).event.gpu_id),
      ...resolveIncidents(this.context.xidCatalog, this.stored.get(key) ?? [], added),
    }));
    for (const { gpu, counts } of resolved)
      for (const { at, change } of counts)
        this.context.metricDays.dayOf(gpu, Date.parse(at)).addToTotal('xid_errors', change);
    const inserted = resolved.flatMap((changes) => changes.inserted);
    const updated = resolved.flatMap((changes) => changes.updated);
    await insertXidEvents(this.context.connection, this.context.customerId, inserted);
    await updateXidEvents(this.context.connection, this.context.customerId, updated);
    return resolved.flatMap(({ gpu, effects }) =>
      effects.map((xid) => timelineXid(this.context.xidCatalog, gpu, xid)),
    );
  }
}

/** Returns the time around events of one GPU and code in which others may be in the same incidents. */
function spanOf(events: XidEvent[]): XidSpan {
  const { gpu_id, code } = events[0] as XidEvent;
  return {
    gpu_id,
    code,
    from: earliestOf(events.map(({ at, reach_ms }) => addMs(at, -Math.max(CONTEXT_MS, reach_ms)))),
    earliest: earliestOf(events.map(({ at }) => addMs(at, -MAX_REACH_MS - CONTEXT_MS))),
  };
}

function earliestOf(times: string[]): string {
  return times.reduce((a, b) => (a < b ? a : b));
}

function keyOf({ gpu_id, code }: Pick<XidEvent, 'gpu_id' | 'code'>): string {
  return `${gpu_id} ${code}`;
}
