import { hash } from 'node:crypto';
import type { Attributed, TimelineEventRecord } from '../records/records.ts';
import type { BatchEntry } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import type { ImportConnection } from './import-connection.ts';
import { readStoredIds, UNKNOWN_ALERT } from './stored-alerts.ts';

interface TimelineRow {
  /** Identity of the event: alert and digest. */
  key: string;
  alert_id: string;
  ts: string;
  doc: string;
  digest: string;
}

const COLUMNS = ['customer_id', 'alert_id', 'ts', 'digest', 'doc'] as const;

/** Inserts the rows of `fleet.alert_timeline_events` that are new, by customer, alert, time and digest. Returns their keys. */
const INSERT_EVENTS = `INSERT INTO fleet.alert_timeline_events (customer_id, alert_id, ts, digest, doc)
  SELECT $1, alert_id, ts, digest, doc
  FROM unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[]) AS staged (alert_id, ts, digest, doc)
  ON CONFLICT (customer_id, alert_id, ts, digest) DO NOTHING
  RETURNING alert_id || ' ' || digest AS key`;

/**
 * Writes the `timeline_event` records of one batch. The whole event is its identity.
 *
 * @param newAlerts the alerts, by id, that the same batch has written
 */
export async function writeTimelineEvents(
  context: BatchContext,
  entries: BatchEntry<Attributed<TimelineEventRecord>>[],
  newAlerts: ReadonlyMap<string, unknown>,
): Promise<void> {
  if (entries.length === 0) return;
  const { connection, customerId, outcomes } = context;
  const ids = entries.map(({ record }) => record.alert_id.toLowerCase());
  const otherIds = ids.filter((id) => !newAlerts.has(id));
  const stored = await readStoredIds(connection, customerId, otherIds);
  const accepted = entries.filter((entry, index) => {
    const id = ids[index] as string;
    if (newAlerts.has(id) || stored.has(id)) return true;
    outcomes.recordRejected(entry, UNKNOWN_ALERT);
    return false;
  });
  const areNew = await insertTimelineEvents(
    context,
    accepted.map(({ record }) => ({ event: record, occurrence: 0 })),
    newAlerts,
  );
  accepted.forEach((entry, index) => {
    if (areNew[index] === true) outcomes.recordWritten(entry);
    else outcomes.recordDuplicate(entry);
  });
}

/**
 * Inserts events of known alerts.
 *
 * @param events each with its number among equal events, from 0
 * @param newAlerts the alerts, by id, that the same batch has written
 * @returns for each event whether it is new
 */
export async function insertTimelineEvents(
  { connection, customerId }: BatchContext,
  events: { event: TimelineEventRecord; occurrence: number }[],
  newAlerts: ReadonlyMap<string, unknown>,
): Promise<boolean[]> {
  const rows = events.map(({ event, occurrence }): TimelineRow => {
    const doc = renderTimelineEvent(event);
    const alert_id = event.alert_id.toLowerCase();
    const digest = md5Uuid(occurrence === 0 ? doc : `${doc} ${occurrence}`);
    return { key: `${alert_id} ${digest}`, alert_id, ts: event.ts, doc, digest };
  });
  // No event of a new alert is stored: retention removes an alert only when it is too old to be imported again.
  const ofNewAlerts = new Map<string, TimelineRow>();
  const ofStoredAlerts: TimelineRow[] = [];
  for (const row of rows)
    if (newAlerts.has(row.alert_id)) ofNewAlerts.set(row.key, row);
    else ofStoredAlerts.push(row);
  if (ofNewAlerts.size > 0) {
    const copied = [...ofNewAlerts.values()].map((row) => ({ ...row, customer_id: customerId }));
    await connection.copy('fleet.alert_timeline_events', COLUMNS, copied);
  }
  const insertedKeys = await insertUnknown(connection, customerId, ofStoredAlerts);
  const written = new Set([...ofNewAlerts.keys(), ...insertedKeys]);
  // Deletes the key, so that a second equal event is a duplicate.
  return rows.map(({ key }) => written.delete(key));
}

/** Inserts the rows that are not stored. @returns their keys */
async function insertUnknown(
  connection: ImportConnection,
  customerId: number,
  rows: TimelineRow[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const inserted = await connection.query<{ key: string }>(INSERT_EVENTS, [
    customerId,
    rows.map((row) => row.alert_id),
    rows.map((row) => row.ts),
    rows.map((row) => row.digest),
    rows.map((row) => row.doc),
  ]);
  return inserted.map(({ key }) => key);
}

/** Renders the JSON of an event, without the optional fields that are absent. */
function renderTimelineEvent(record: TimelineEventRecord): string {
  const { ts, pid, tid, event_type, event_info, comm, command_line, args, pwd } = record;
  return JSON.stringify({ ts, pid, tid, event_type, event_info, comm, command_line, args, pwd });
}

function md5Uuid(text: string): string {
  const hex = hash('md5', text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
