import type { GpuInventory, GpuReadings } from '../records/records.ts';
import type { HealthFact } from '../../model/health/health-signal.ts';
import type { HealthMemory } from '../../model/health/health-state.ts';
import { observeSample } from '../../model/health/observe-sample.ts';
import type { MetricMemory } from './metric-state.ts';
import type { Owner } from '../../model/metrics/rollup-scope.ts';

/** The newest reading of each quantity, as `fleet.gpus.latest` keeps it. */
export interface LatestReadings {
  utilization_pct?: number;
  memory_used_mib?: number;
  memory_total_mib?: number;
  temperature_c?: number;
  power_draw_w?: number;
  power_limit_w?: number;
  fan_pct?: number;
  /** The time of the newest sample from a source that reports XIDs, RFC 3339. */
  xid_reported_at?: string;
}

const LATEST = [
  'utilization_pct',
  'memory_used_mib',
  'memory_total_mib',
  'temperature_c',
  'power_draw_w',
  'power_limit_w',
  'fan_pct',
] as const;

const INVENTORY = [
  'vendor',
  'model',
  'compute_stack',
  'driver_version',
  'firmware_version',
  'hostname',
  'pcie_address',
  'serial_no',
  'mig_enabled',
  'slowdown_temperature_c',
  'shutdown_temperature_c',
  'report_interval_seconds',
] as const;

export const DEFAULT_REPORT_INTERVAL_SECONDS = 60;

/** A row of `fleet.gpus`, as the importer keeps it while it writes. */
export interface GpuState {
  gpuId: string;
  workspaceId: number;
  apiKeyId: number | null;
  inventory: GpuInventory;
  /** The times are RFC 3339 UTC with milliseconds, so that text compares as time. */
  inventoryAt: string;
  firstSeen: string;
  lastSeen: string;
  latest: LatestReadings;
  memory: HealthMemory;
  facts: HealthFact[];
  metrics: MetricMemory;
}

/** Whose the GPU is. */
export function gpuOwner({ workspaceId, apiKeyId }: GpuState): Owner {
  return { workspaceId, apiKeyId };
}

/**
 * Takes what a `gpu` record says: the later record wins, field by field; one that is not later fills what is still
 * empty. An empty text says nothing.
 *
 * @returns the field in which a record of the very same time says something else, or null
 */
export function applyInventory(
  state: GpuState,
  at: string,
  owner: { workspaceId: number; apiKeyId: number | null },
  inventory: GpuInventory,
): string | null {
  const newer = at > state.inventoryAt;
  const given = INVENTORY.filter((field) => !isEmpty(inventory[field]));
  if (at === state.inventoryAt) {
    const other = given.find(
      (field) => !isEmpty(state.inventory[field]) && !sameValue(state.inventory[field], inventory[field]),
    );
    if (other !== undefined) return other;
  }
  for (const field of given) {
    if (newer || isEmpty(state.inventory[field]))
      Object.assign(state.inventory, { [field]: inventory[field] });
  }
  if (newer) Object.assign(state, { inventoryAt: at, ...owner });
  sighted(state, at);
  return null;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Temperatures are stored as float4. */
function sameValue(stored: unknown, given: unknown): boolean {
  return typeof stored === 'number' && typeof given === 'number'
    ? Math.fround(stored) === Math.fround(given)
    : stored === given;
}

/**
 * Takes one sample's readings. One that is older than the newest still counts in the rollups (the caller's business) but
 * tells nothing new of the present: no event, no fact, no latest reading.
 *
 * @returns the code of an XID event that happened by this sample
 */
export function applySample(state: GpuState, at: string, readings: GpuReadings): number | null {
  sighted(state, at);
  if (state.memory.at !== undefined && at <= state.memory.at) return null;
  for (const field of LATEST) {
    const value = readings[field];
    if (value === null) delete state.latest[field];
    else if (value !== undefined) state.latest[field] = value;
  }
  const reportsXids = readings.xid_last_code !== null && readings.xid_last_code !== undefined;
  if (reportsXids && at > (state.latest.xid_reported_at ?? '')) state.latest.xid_reported_at = at;
  const observed = observeSample({ memory: state.memory, facts: state.facts }, at, readings, {
    slowdownTemperatureC: state.inventory.slowdown_temperature_c ?? null,
    shutdownTemperatureC: state.inventory.shutdown_temperature_c ?? null,
    reportIntervalSeconds: state.inventory.report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS,
  });
  state.memory = observed.state.memory;
  state.facts = observed.state.facts;
  return observed.xidCode;
}

/** The GPU was there. */
export function sighted(state: GpuState, at: string): void {
  if (at > state.lastSeen) state.lastSeen = at;
  if (at < state.firstSeen) state.firstSeen = at;
}
