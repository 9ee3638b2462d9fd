import { LATEST_NAMES, type LatestName } from '../records/gpu-readings.ts';
import type { GpuInventory, GpuRecord, GpuSampleRecord } from '../records/records.ts';
import type { HealthSignal } from '../../model/health/health-signal.ts';
import type { HealthState } from '../../model/health/health-state.ts';
import { observeSample } from '../../model/health/observe-sample.ts';
import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import { DEFAULT_REPORT_INTERVAL_SECONDS, INVENTORY_FIELDS } from './gpu-inventory.ts';
import type { MetricState } from './metric-state.ts';
import { isSameReal } from './same-real.ts';
import { sameOwner } from '../../model/metrics/rollup-scope.ts';

/** The newest reading of each quantity (`fleet.gpus.latest`). */
interface LatestReadings extends Partial<Record<LatestName, number>> {
  /** Time of the newest sample from a source that reports XIDs, RFC 3339. */
  xid_reported_at?: string;
}

/**
 * A row of `fleet.gpus`, without unknown fields of the inventory. Times are RFC 3339 UTC with milliseconds, so that text compares
 * as time.
 */
export interface GpuState extends GpuInventory {
  gpu_id: string;
  workspace_id: number;
  api_key_id: number | null;
  /** Time of the newest `gpu` record. */
  inventory_at: string;
  first_seen: string;
  last_seen: string;
  /** Whether the GPU has sent a sample or a day with samples. */
  has_telemetry: boolean;
  latest: LatestReadings;
  health_state: HealthState;
  health_signals: HealthSignal[];
  metric_state: MetricState;
}

/** Owner of a GPU: every GPU has a workspace. */
type GpuOwner = Pick<GpuState, 'workspace_id' | 'api_key_id'>;

/** Returns a GPU without inventory, which `applyInventory` adds. */
export function newGpu({ gpu_id, at }: GpuRecord, owner: GpuOwner): GpuState {
  return {
    gpu_id,
    ...owner,
    inventory_at: at,
    first_seen: at,
    last_seen: at,
    has_telemetry: false,
    latest: {},
    health_state: {},
    health_signals: [],
    metric_state: {},
  };
}

/**
 * Applies a `gpu` record. The later record wins, field by field; an earlier one fills empty fields. An empty text counts as
 * absent.
 *
 * @returns the field in which a record of the same time differs, or null
 */
export function applyInventory(state: GpuState, record: GpuRecord, owner: GpuOwner): string | null {
  const { at } = record;
  const isNewer = at > state.inventory_at;
  if (at === state.inventory_at) {
    const conflict = INVENTORY_FIELDS.find(
      (field) => !isEmpty(record[field]) && !isEmpty(state[field]) && !sameValue(state[field], record[field]),
    );
    if (conflict !== undefined) return conflict;
  }
  for (const field of replacedFields(state, record)) Object.assign(state, { [field]: record[field] });
  if (isNewer) Object.assign(state, { inventory_at: at, ...owner });
  recordSeen(state, at);
  return null;
}

/** Returns whether `applyInventory` would change the owner or a field of the inventory. */
export function changesInventory(state: GpuState, record: GpuRecord, owner: GpuOwner): boolean {
  return (
    (record.at > state.inventory_at && !sameOwner(owner, state)) ||
    replacedFields(state, record).some((field) => !sameValue(state[field], record[field]))
  );
}

/** Returns the fields that a record sets: all its fields if it is newer, otherwise those that the GPU lacks. */
function replacedFields(state: GpuState, record: GpuRecord): (keyof GpuInventory)[] {
  return INVENTORY_FIELDS.filter(
    (field) => !isEmpty(record[field]) && (record.at > state.inventory_at || isEmpty(state[field])),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Compares in the stored precision: temperatures are float4. */
function sameValue(stored: unknown, received: unknown): boolean {
  return typeof stored === 'number' && typeof received === 'number'
    ? isSameReal(stored, received)
    : stored === received;
}

/**
 * Applies the readings of a sample. A sample that is older than the newest changes neither the latest readings nor health; the
 * caller adds it to the rollups.
 *
 * @returns the code of the XID event that the sample shows, or null
 */
export function applySample(catalog: XidCatalog, state: GpuState, sample: GpuSampleRecord): number | null {
  const { at } = sample;
  recordTelemetry(state, at);
  if (state.health_state.at !== undefined && at <= state.health_state.at) return null;
  for (const field of LATEST_NAMES) {
    const value = sample[field];
    if (value === null) delete state.latest[field];
    else if (value !== undefined) state.latest[field] = value;
  }
  const reportsXids = sample.xid_last_code !== null && sample.xid_last_code !== undefined;
  if (reportsXids && at > (state.latest.xid_reported_at ?? '')) state.latest.xid_reported_at = at;
  const before = { state: state.health_state, signals: state.health_signals };
  const { state: after, xidCode } = observeSample(catalog, before, sample, {
    slowdownTemperatureC: state.slowdown_temperature_c ?? null,
    shutdownTemperatureC: state.shutdown_temperature_c ?? null,
    memoryTemperatureLimitC: state.memory_temperature_limit_c ?? null,
    reportIntervalSeconds: state.report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS,
  });
  state.health_state = after.state;
  state.health_signals = after.signals;
  return xidCode;
}

/** Records that the GPU sent telemetry. */
export function recordTelemetry(state: GpuState, at: string): void {
  recordSeen(state, at);
  state.has_telemetry = true;
}

/** Extends the interval between `first_seen` and `last_seen` to a time. */
function recordSeen(state: GpuState, at: string): void {
  if (at > state.last_seen) state.last_seen = at;
  if (at < state.first_seen) state.first_seen = at;
}
