import { LATEST_NAMES, type LatestName } from '../records/gpu-readings.ts';
import type { GpuInventory, GpuSampleRecord } from '../records/records.ts';
import type { HealthSignal } from '../../model/health/health-signal.ts';
import type { HealthState } from '../../model/health/health-state.ts';
import { observeSample } from '../../model/health/observe-sample.ts';
import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import { DEFAULT_REPORT_INTERVAL_SECONDS, INVENTORY_FIELDS } from './gpu-inventory.ts';
import type { MetricState } from './metric-state.ts';
import type { Owner } from '../../model/metrics/rollup-scope.ts';

/** The newest reading of each quantity (`fleet.gpus.latest`). */
export interface LatestReadings extends Partial<Record<LatestName, number>> {
  /** Time of the newest sample from a source that reports XIDs, RFC 3339. */
  xid_reported_at?: string;
}

/** A row of `fleet.gpus`. */
export interface GpuState {
  gpuId: string;
  workspaceId: number;
  apiKeyId: number | null;
  inventory: GpuInventory;
  /** Times are RFC 3339 UTC with milliseconds, so that text compares as time. */
  inventoryAt: string;
  firstSeen: string;
  lastSeen: string;
  /** Whether the GPU has sent a sample or a day with samples. */
  hasTelemetry: boolean;
  latest: LatestReadings;
  healthState: HealthState;
  healthSignals: HealthSignal[];
  metricState: MetricState;
}

export function gpuOwner({ workspaceId, apiKeyId }: GpuState): Owner {
  return { workspaceId, apiKeyId };
}

/** Returns a GPU without inventory, which `applyInventory` adds. */
export function newGpu(
  gpuId: string,
  workspaceId: number,
  { at, api_key_id: apiKeyId }: { at: string; api_key_id: number | null },
): GpuState {
  return {
    gpuId,
    workspaceId,
    apiKeyId,
    inventory: {},
    inventoryAt: at,
    firstSeen: at,
    lastSeen: at,
    hasTelemetry: false,
    latest: {},
    healthState: {},
    healthSignals: [],
    metricState: {},
  };
}

/**
 * Applies a `gpu` record. The later record wins, field by field; an earlier one fills empty fields. An empty text counts as
 * absent.
 *
 * @returns the field in which a record of the same time differs, or null
 */
export function applyInventory(
  state: GpuState,
  at: string,
  owner: { workspaceId: number; apiKeyId: number | null },
  inventory: GpuInventory,
): string | null {
  const newer = at > state.inventoryAt;
  const present = INVENTORY_FIELDS.filter((field) => !isEmpty(inventory[field]));
  if (at === state.inventoryAt) {
    const other = present.find(
      (field) => !isEmpty(state.inventory[field]) && !sameValue(state.inventory[field], inventory[field]),
    );
    if (other !== undefined) return other;
  }
  for (const field of replacedFields(state, at, inventory))
    Object.assign(state.inventory, { [field]: inventory[field] });
  if (newer) Object.assign(state, { inventoryAt: at, ...owner });
  recordSeen(state, at);
  return null;
}

/** Returns whether `applyInventory` would change the owner or a field of the inventory. */
export function changesInventory(
  state: GpuState,
  at: string,
  owner: { workspaceId: number; apiKeyId: number | null },
  inventory: GpuInventory,
): boolean {
  const { workspaceId, apiKeyId } = state;
  return (
    (at > state.inventoryAt && (owner.workspaceId !== workspaceId || owner.apiKeyId !== apiKeyId)) ||
    replacedFields(state, at, inventory).some((field) => !sameValue(state.inventory[field], inventory[field]))
  );
}

/** Returns the fields that a record of this time sets: all it has if it is newer, otherwise those that are empty. */
function replacedFields(state: GpuState, at: string, inventory: GpuInventory) {
  return INVENTORY_FIELDS.filter(
    (field) => !isEmpty(inventory[field]) && (at > state.inventoryAt || isEmpty(state.inventory[field])),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Compares in the stored precision: temperatures are float4. */
function sameValue(stored: unknown, received: unknown): boolean {
  return typeof stored === 'number' && typeof received === 'number'
    ? Math.fround(stored) === Math.fround(received)
    : stored === received;
}

/**
 * Applies the readings of a sample. A sample that is older than the newest counts in the rollups, which the caller updates,
 * but changes neither the latest readings nor health.
 *
 * @returns the code of the XID event that the sample shows, or null
 */
export function applySample(catalog: XidCatalog, state: GpuState, sample: GpuSampleRecord): number | null {
  const { at } = sample;
  recordTelemetry(state, at);
  if (state.healthState.at !== undefined && at <= state.healthState.at) return null;
  for (const field of LATEST_NAMES) {
    const value = sample[field];
    if (value === null) delete state.latest[field];
    else if (value !== undefined) state.latest[field] = value;
  }
  const reportsXids = sample.xid_last_code !== null && sample.xid_last_code !== undefined;
  if (reportsXids && at > (state.latest.xid_reported_at ?? '')) state.latest.xid_reported_at = at;
  const before = { state: state.healthState, signals: state.healthSignals };
  const observed = observeSample(catalog, before, sample, {
    slowdownTemperatureC: state.inventory.slowdown_temperature_c ?? null,
    shutdownTemperatureC: state.inventory.shutdown_temperature_c ?? null,
    memoryTemperatureLimitC: state.inventory.memory_temperature_limit_c ?? null,
    reportIntervalSeconds: state.inventory.report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS,
  });
  state.healthState = observed.state.state;
  state.healthSignals = observed.state.signals;
  return observed.xidCode;
}

/** Records that the GPU sent telemetry. */
export function recordTelemetry(state: GpuState, at: string): void {
  recordSeen(state, at);
  state.hasTelemetry = true;
}

/** Extends the time in which the GPU was seen. */
function recordSeen(state: GpuState, at: string): void {
  if (at > state.lastSeen) state.lastSeen = at;
  if (at < state.firstSeen) state.firstSeen = at;
}
