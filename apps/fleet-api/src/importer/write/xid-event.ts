import { hash } from 'node:crypto';
import { CAUSE_REACH_MS } from '../../model/health/observe-xid.ts';
import { gaugeReachMs, type XidOccurrence } from '../../model/health/xid-incident.ts';
import { causeOfXid, xidVariantKey } from '../../model/health/xid-variant.ts';
import type { Attributed, GpuSampleRecord, XidEventRecord } from '../records/records.ts';
import type { GpuCache } from './gpu-cache.ts';
import { DEFAULT_REPORT_INTERVAL_SECONDS } from './gpu-inventory.ts';

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
  /** Alert of the incident; null without one. */
  alert_id: string | null;
}

/** Fields of an event without a message. */
const NO_MESSAGE = { variant: '', message: '', sequence: 0, slot: '', alert_id: null, opens_incident: true };

/** Returns the event of a line of the driver. */
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

/** Returns the event of a sample in which a gauge shows a code. It has no message. */
export function gaugeEvent(gpu_id: string, at: string, code: number, reachMs: number): XidEvent {
  return { ...NO_MESSAGE, gpu_id, at, code, digest: hash('md5', 'gauge'), reach_ms: reachMs };
}

/** Returns an event for each sample in which the gauge may show a new code. Some of these samples may be older than the newest. */
export function possibleGaugeEvents(gpus: GpuCache, samples: GpuSampleRecord[]): XidEvent[] {
  const codes = new Map<string, number | undefined>();
  return samples.flatMap(({ gpu_id, at, xid_last_code: code }) => {
    if (code == null) return [];
    const { health_state, report_interval_seconds } = gpus.getKnown(gpu_id);
    const before = codes.has(gpu_id) ? codes.get(gpu_id) : health_state.xidLastCode;
    codes.set(gpu_id, code);
    const reachMs = gaugeReachMs(report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS);
    return code === 0 || code === before ? [] : [gaugeEvent(gpu_id, at, code, reachMs)];
  });
}

/** Returns the XID that caused this one, without a message like the event of a gauge; null without a known cause. */
export function causeEvent({ gpu_id, at, code, message = '' }: XidEventRecord): XidEvent | null {
  const cause = causeOfXid(code, message);
  return cause === null ? null : gaugeEvent(gpu_id, at, cause, CAUSE_REACH_MS);
}

/** Identifies a GPU in a kernel log. */
export function slotKey(host: string, pci: string): string {
  return `${host.toLowerCase()}|${pci}`;
}

/** Identifies an event among those of its customer. */
export function xidEventKey({ gpu_id, at, code, digest }: XidEvent): string {
  return `${gpu_id} ${at} ${code} ${digest}`;
}

export function occurrenceOf({ at, variant, reach_ms }: XidEvent): XidOccurrence {
  return { atMs: Date.parse(at), variant, reachMs: reach_ms };
}

/** Compares events by time, and those of one time by their order in the log. */
export function compareByTime(a: XidEvent, b: XidEvent): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  return a.sequence - b.sequence || (a.digest < b.digest ? -1 : Number(a.digest > b.digest));
}
