import type { ImportConnection } from './import-connection.ts';
import type { XidEvent } from './xid-event.ts';

/** Times of one GPU and code whose incidents an import may change (docs/decisions/xid-incidents.md). */
export interface XidSpan {
  gpu_id: string;
  code: number;
  /** Earlier events are needed only if they open an incident or are those of a gauge. */
  from: string;
  /** Earlier events cannot be in an incident with later ones. */
  earliest: string;
}

/** Reads the events of `fleet.gpu_xid_events` in spans, by customer, GPU, code and time. $3 limits the scan to its partitions. */
const READ_XID_EVENTS = `SELECT e.gpu_id, e.at, e.code, replace(e.digest::text, '-', '') AS digest, e.variant, e.message, e.sequence, e.slot,
         e.reach_ms, e.opens_incident, e.alert_id
  FROM jsonb_to_recordset($2) AS span (gpu_id text, code integer, "from" timestamptz, earliest timestamptz)
  JOIN fleet.gpu_xid_events e ON e.customer_id = $1 AND e.gpu_id = span.gpu_id AND e.code = span.code
    AND e.at >= span.earliest AND (e.at >= span.from OR e.opens_incident OR e.reach_ms > 0)
  WHERE e.at >= $3
  ORDER BY e.at, e.sequence, e.digest`;

/** Reads the stored events that decide the incidents of spans, in the order of time. */
export async function readXidEvents(
  connection: ImportConnection,
  customerId: number,
  spans: XidSpan[],
): Promise<XidEvent[]> {
  const rows = await connection.query<Omit<XidEvent, 'at'> & { at: Date }>(READ_XID_EVENTS, [
    customerId,
    JSON.stringify(spans),
    spans.map(({ earliest }) => earliest).reduce((a, b) => (a < b ? a : b)),
  ]);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** Inserts rows into `fleet.gpu_xid_events`, whose key is customer, GPU, time, code and digest. */
const INSERT_XID_EVENTS = `INSERT INTO fleet.gpu_xid_events
    (customer_id, gpu_id, at, code, digest, variant, message, sequence, slot, reach_ms, opens_incident, alert_id)
  SELECT $1, gpu_id, at, code, digest, variant, message, sequence, slot, reach_ms, opens_incident, alert_id
  FROM jsonb_to_recordset($2) AS staged (gpu_id text, at timestamptz, code integer, digest uuid, variant text,
    message text, sequence bigint, slot text, reach_ms integer, opens_incident boolean, alert_id uuid)`;

export async function insertXidEvents(
  connection: ImportConnection,
  customerId: number,
  events: XidEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await connection.query(INSERT_XID_EVENTS, [customerId, JSON.stringify(events)]);
}

/** Updates the incidents in `fleet.gpu_xid_events`, by customer, GPU, time, code and digest. */
const UPDATE_XID_EVENTS = `UPDATE fleet.gpu_xid_events e SET opens_incident = changed.opens_incident, alert_id = changed.alert_id
  FROM jsonb_to_recordset($2) AS changed (gpu_id text, at timestamptz, code integer, digest uuid,
    opens_incident boolean, alert_id uuid)
  WHERE e.customer_id = $1 AND e.gpu_id = changed.gpu_id AND e.at = changed.at AND e.code = changed.code
    AND e.digest = changed.digest`;

/** Updates the incidents of stored events. */
export async function updateXidEvents(
  connection: ImportConnection,
  customerId: number,
  events: XidEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await connection.query(UPDATE_XID_EVENTS, [customerId, JSON.stringify(events)]);
}
