import type { AlertListItem, AlertState } from '@gpu-observatory/domain-types';
import { MINUTE_MS } from '@gpu-observatory/domain-types';

/** Returns the RFC 3339 time this many minutes ago. */
export function minutesAgo(minutes: number, nowMs = Date.now()): string {
  return new Date(nowMs - minutes * MINUTE_MS).toISOString();
}

/** Returns a UUID that ends in this number, so that UUIDs sort like the numbers. */
export function uuid(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** Returns an `alert` record of customer 1 and workspace 10 with the id `uuid(n)`. */
export function alertRecord(n: number, more: object = {}): object {
  return {
    kind: 'alert',
    customer_id: 1,
    workspace_id: 10,
    id: uuid(n),
    title: `Alert ${n}`,
    description: 'A process was observed.',
    type: 'gpu_thermal',
    severity: 'high',
    created_at: minutesAgo(n),
    ...more,
  };
}

export function alertStateRecord(n: number, state: AlertState, customerId = 1): object {
  return { kind: 'alert_state', customer_id: customerId, alert_id: uuid(n), state };
}

/** Returns the list item of an `alert` record. */
export function listItem(record: object): AlertListItem {
  const { id, title, description, type, severity, state, created_at, ...more } =
    record as Partial<AlertListItem> & AlertListItem;
  return {
    id,
    title,
    description,
    type,
    severity,
    state: state ?? 'active',
    created_at,
    hostname: more.hostname ?? null,
    gpu_model: more.gpu_model ?? null,
    gpu_serial: more.gpu_serial ?? null,
    workspace_id: more.workspace_id,
    api_key_id: more.api_key_id ?? null,
  };
}

/** Returns a `gpu` record of customer 1 and workspace 10. */
export function gpuRecord(gpuId: string, more: object = {}): object {
  return {
    kind: 'gpu',
    customer_id: 1,
    workspace_id: 10,
    gpu_id: gpuId,
    at: minutesAgo(0),
    hostname: 'host-1',
    ...more,
  };
}

/** Returns an `xid_event` record of customer 1. */
export function xidRecord(gpuId: string, at: string, code: number, more: object = {}): object {
  return { kind: 'xid_event', customer_id: 1, gpu_id: gpuId, at, code, ...more };
}

/** Returns a `gpu_day` record of customer 1 with the same values in each half hour. */
export function gpuDayRecord(gpuId: string, day: string, more: object = {}): object {
  const half = <Value>(value: Value) => new Array<Value>(48).fill(value);
  return {
    kind: 'gpu_day',
    customer_id: 1,
    gpu_id: gpuId,
    day,
    samples: half(1),
    utilization_pct: half(50),
    memory_used_mib: half(null),
    temperature_c: half(40),
    power_draw_w: half(null),
    ...more,
  };
}

/** Returns a `timeline_event` record of customer 1 for the alert with the id `uuid(n)`. */
export function timelineRecord(n: number, ts: string, more: object = {}): object {
  return {
    kind: 'timeline_event',
    customer_id: 1,
    alert_id: uuid(n),
    ts,
    pid: 1,
    tid: 1,
    event_type: 'exec',
    event_info: '',
    ...more,
  };
}

/** Returns a `gpu_sample` record of customer 1. */
export function sampleRecord(gpuId: string, at: string, readings: object = {}): object {
  return { kind: 'gpu_sample', customer_id: 1, gpu_id: gpuId, at, ...readings };
}
