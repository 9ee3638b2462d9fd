import { hash } from 'node:crypto';
import { CAUSE_REACH_MS } from '../../model/health/observe-xid.ts';
import { gaugeReachMs, type XidOccurrence } from '../../model/health/xid-incident.ts';
import { causeOfXid, xidVariantKey } from '../../model/health/xid-variant.ts';
import type { Attributed, GpuSampleRecord, XidEventRecord } from '../records/records.ts';
import type { GpuCache } from './gpu-cache.ts';
import { DEFAULT_REPORT_INTERVAL_SECONDS } from './gpu-inventory.ts';
import type { GpuState } from './gpu-state.ts';
import type { ImportConnection } from './import-connection.ts';

/** A row of `fleet.gpu_xid_events`: a line of the driver, or the first sample in which a gauge shows the code. */
export interface XidEvent {
  gpu_id: string;
  /** RFC 3339 UTC with milliseconds. */
  at: string;
  code: number;
  /** Identifies the event among those of its GPU, time and code. */
  digest: string;
  /** See `XidOccurrence`. */
  variant: string;
  message: string;
  /** Order of events with the same time. */
  sequence: number;
  /** Host and PCI address in the kernel log; empty if unknown. */
  slot: string;
  /** 0 for a line of the driver; for a gauge, the longest time between the XID and the sample that shows it, in ms. */
  reach_ms: number;
  opens_incident: boolean;
  alert_id: string | null;
}

/** Times of one GPU and code whose incidents an import may change (docs/decisions/xid-incidents.md). */
export interface XidSpan {
  gpu_id: string;
  code: number;
  /** Earlier events are needed only if they open an incident or are those of a gauge. */
  from: string;
  /** Earlier events cannot be in an incident with later ones. */
  earliest: string;
}

/** Fields of an event without a message. */
const NO_MESSAGE = { variant: '', message: '', sequence: 0, slot: '', alert_id: null, opens_incident: true };

export function xidEventOf(record: Attributed<XidEventRecord>): XidEvent {
  const { gpu_id, at, code, message = '', occurrence = 0, sequence = 0 } = record;
  const { hostname = '', pcie_address = '' } = record;
  return {
    ...NO_MESSAGE,
    gpu_id,
    at,
    code,
    digest: hash('md5', JSON.stringify([message, occurrence])),
    variant: xidVariantKey(code, message),
    message,
    sequence,
    slot: pcie_address === '' ? '' : slotKey(hostname, pcie_address),
    reach_ms: 0,
  };
}

/** Returns the event that a gauge shows: it has no message, and one per time and code. */
export function gaugeEvent(gpu_id: string, at: string, code: number, reachMs: number): XidEvent {
  return { ...NO_MESSAGE, gpu_id, at, code, digest: hash('md5', 'gauge'), reach_ms: reachMs };
}

/** Returns an event for each sample in which the gauge may show a new code. Some of them turn out to be older samples. */
export function possibleGaugeEvents(gpus: GpuCache, samples: GpuSampleRecord[]): XidEvent[] {
  const codes = new Map<string, number | undefined>();
  return samples.flatMap(({ gpu_id, at, xid_last_code: code }) => {
    if (code == null) return [];
    const { health_state, report_interval_seconds } = gpus.get(gpu_id) as GpuState;
    const before = codes.has(gpu_id) ? codes.get(gpu_id) : health_state.xidLastCode;
    codes.set(gpu_id, code);
    const reachMs = gaugeReachMs(report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS);
    return code === 0 || code === before ? [] : [gaugeEvent(gpu_id, at, code, reachMs)];
  });
}

/** Returns the XID that caused this one in the form of a gauge event: a code, no message. Null without a known cause. */
export function causeEvent({ gpu_id, at, code, message = '' }: XidEventRecord): XidEvent | null {
  const cause = causeOfXid(code, message);
  return cause === null ? null : gaugeEvent(gpu_id, at, cause, CAUSE_REACH_MS);
}

/** Identifies a GPU in a kernel log. */
export function slotKey(host: string, pci: string): string {
  return `${host.toLowerCase()}|${pci}`;
}

export function xidEventKey({ gpu_id, at, code, digest }: XidEvent): string {
  return `${gpu_id} ${at} ${code} ${digest}`;
}

export function occurrenceOf({ at, variant, reach_ms }: XidEvent): XidOccurrence {
  return { atMs: Date.parse(at), variant, reachMs: reach_ms };
}

/** Compares events by time, and those of one time by their order in the log. */
export function inOrder(a: XidEvent, b: XidEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.sequence - b.sequence || (a.digest < b.digest ? -1 : Number(a.digest > b.digest));
}

/** Reads the events of `fleet.gpu_xid_events` in spans, by customer, GPU, code and time. */
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
