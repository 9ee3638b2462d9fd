import type { AlertListItem, AlertState } from '@gpu-observatory/domain-types';

const MINUTE_MS = 60_000;

/** A time so many minutes ago, RFC 3339. */
export function minutesAgo(minutes: number, nowMs = Date.now()): string {
  return new Date(nowMs - minutes * MINUTE_MS).toISOString();
}

/** A UUID that ends in this number: numbers below 16^12 sort as their UUIDs do. */
export function uuid(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** An `alert` record of customer 1 and workspace 10; its id ends in `n`. */
export function alertRecord(n: number, more: object = {}): object {
  return {
    kind: 'alert',
    customer_id: 1,
    workspace_id: 10,
    id: uuid(n),
    title: `Alert ${n}`,
    description: 'A thing was seen.',
    type: 'gpu_thermal',
    severity: 'high',
    created_at: minutesAgo(n),
    ...more,
  };
}

export function alertStateRecord(n: number, state: AlertState, customerId = 1): object {
  return { kind: 'alert_state', customer_id: customerId, alert_id: uuid(n), state };
}

/** What the list serves of such a record. */
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

/** A `gpu` record of customer 1 and workspace 10. */
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

/** A `gpu_sample` record of customer 1. */
export function sampleRecord(gpuId: string, at: string, readings: object = {}): object {
  return { kind: 'gpu_sample', customer_id: 1, gpu_id: gpuId, at, ...readings };
}
