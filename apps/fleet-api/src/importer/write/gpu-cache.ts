import { DAY_MS } from '@gpu-observatory/domain-types';
import { type HealthSignal, signalEnd } from '../../model/health/health-signal.ts';
import type { HealthState } from '../../model/health/health-state.ts';
import { missingTimeoutMs } from '../../model/health/missing-data-timeout.ts';
import { activeChainAt } from './crash-chain.ts';
import type { GpuDay } from './gpu-day.ts';
import { gpuDayKey, readGpuDays, writeGpuDays } from './gpu-days.ts';
import {
  DEFAULT_REPORT_INTERVAL_SECONDS,
  gpuOwner,
  type GpuState,
  type LatestReadings,
} from './gpu-state.ts';
import type { ImportConnection } from './import-connection.ts';
import type { MetricState } from './metric-state.ts';
import type { CountedEntity, EntityCounts } from './rollups/entity-counts.ts';

interface GpuRow {
  gpu_id: string;
  workspace_id: number;
  api_key_id: number | null;
  vendor: string;
  model: string;
  compute_stack: string;
  driver_version: string;
  firmware_version: string;
  hostname: string;
  pcie_address: string;
  serial_no: string;
  mig_enabled: boolean;
  slowdown_temperature_c: number | null;
  shutdown_temperature_c: number | null;
  memory_temperature_limit_c: number | null;
  report_interval_seconds: number;
  inventory_at: Date;
  first_seen: Date;
  last_seen: Date;
  has_telemetry: boolean;
  latest: LatestReadings;
  health_state: HealthState;
  health_signals: HealthSignal[];
  metric_state: MetricState;
}

/** The newest days stay cached; others are read again when needed. */
const CACHED_DAYS = 2;

/**
 * GPUs and days of one customer that an import has touched. They stay cached until another session writes for the
 * customer, which `BatchWriter` detects by the import sequence number.
 */
export class GpuCache {
  private readonly gpus = new Map<string, GpuState | null>();
  private readonly days = new Map<string, GpuDay>();
  private readonly touchedGpus = new Set<string>();
  /** The cached GPUs as `fleet.entity_counts` includes them. */
  private readonly counted = new Map<string, CountedEntity>();
  private readonly touchedDays = new Map<string, { gpuId: string; day: GpuDay }>();

  constructor(
    private readonly connection: ImportConnection,
    private readonly customerId: number,
  ) {}

  /** Reads GPUs that are not cached. */
  async load(gpuIds: Iterable<string>): Promise<void> {
    const missing = [...new Set(gpuIds)].filter((gpuId) => !this.gpus.has(gpuId));
    if (missing.length === 0) return;
    for (const gpuId of missing) this.gpus.set(gpuId, null);
    const rows = await this.connection.query<GpuRow>(
      `SELECT gpu_id, workspace_id, api_key_id, vendor, model, compute_stack, driver_version, firmware_version, hostname,
              pcie_address, serial_no, mig_enabled, slowdown_temperature_c, shutdown_temperature_c, memory_temperature_limit_c,
              report_interval_seconds, inventory_at, first_seen, last_seen, latest, health_state, health_signals,
              has_telemetry, metric_state
       FROM fleet.gpus WHERE customer_id = $1 AND gpu_id = ANY ($2)`,
      [this.customerId, missing],
    );
    for (const row of rows) {
      const state = fromRow(row);
      this.gpus.set(row.gpu_id, state);
      this.counted.set(row.gpu_id, countedGpu(state));
    }
  }

  /** Reads days that are not cached. */
  async loadDays(wanted: { gpuId: string; dayMs: number }[]): Promise<void> {
    const missing = new Map(
      wanted
        .map((entry) => [gpuDayKey(entry.gpuId, entry.dayMs), entry] as const)
        .filter(([key]) => !this.days.has(key)),
    );
    if (missing.size === 0) return;
    const found = await readGpuDays(this.connection, this.customerId, [...missing.values()]);
    for (const [key, day] of found) this.days.set(key, day);
  }

  get(gpuId: string): GpuState | null {
    return this.gpus.get(gpuId) ?? null;
  }

  /** Marks a GPU as changed. */
  touch(state: GpuState): void {
    this.gpus.set(state.gpuId, state);
    this.touchedGpus.add(state.gpuId);
  }

  getDay(gpuId: string, dayMs: number): GpuDay | undefined {
    return this.days.get(gpuDayKey(gpuId, dayMs));
  }

  /** Marks a day as changed. */
  touchDay(gpuId: string, day: GpuDay): void {
    const key = gpuDayKey(gpuId, day.startMs);
    this.days.set(key, day);
    this.touchedDays.set(key, { gpuId, day });
  }

  /** Writes all changes since the last call, and adds them to the counts. */
  async write(counts: EntityCounts): Promise<void> {
    await writeGpuDays(this.connection, this.customerId, [...this.touchedDays.values()]);
    this.touchedDays.clear();
    let newestDay = 0;
    for (const day of this.days.values()) newestDay = Math.max(newestDay, day.startMs);
    for (const [key, day] of this.days) {
      if (day.startMs < newestDay - (CACHED_DAYS - 1) * DAY_MS) this.days.delete(key);
    }
    const states = [...this.touchedGpus].map((gpuId) => this.gpus.get(gpuId) as GpuState);
    this.touchedGpus.clear();
    if (states.length === 0) return;
    for (const state of states) {
      const now = countedGpu(state);
      counts.move('gpu', this.counted.get(state.gpuId) ?? null, now);
      this.counted.set(state.gpuId, now);
    }
    await this.connection.query(
      `INSERT INTO fleet.gpus (customer_id, gpu_id, workspace_id, api_key_id, vendor, model, compute_stack, driver_version,
         firmware_version, hostname, pcie_address, serial_no, mig_enabled, slowdown_temperature_c, shutdown_temperature_c, memory_temperature_limit_c,
         report_interval_seconds, inventory_at, first_seen, last_seen, latest, health_state, health_signals,
         critical_until, degraded_until, has_telemetry, metric_state, crash_chain_at)
       SELECT $1, gpu_id, workspace_id, api_key_id, vendor, model, compute_stack, driver_version, firmware_version, hostname,
              pcie_address, serial_no, mig_enabled, slowdown_temperature_c, shutdown_temperature_c, memory_temperature_limit_c,
              report_interval_seconds, inventory_at, first_seen, last_seen, latest, health_state, health_signals,
              critical_until, degraded_until, has_telemetry, metric_state, crash_chain_at
       FROM jsonb_to_recordset($2) AS staged (gpu_id text, workspace_id integer, api_key_id integer, vendor text, model text,
         compute_stack text, driver_version text, firmware_version text, hostname text, pcie_address text, serial_no text,
         mig_enabled boolean, slowdown_temperature_c real, shutdown_temperature_c real, memory_temperature_limit_c real, report_interval_seconds integer,
         inventory_at timestamptz, first_seen timestamptz, last_seen timestamptz, latest jsonb, health_state jsonb,
         health_signals jsonb, critical_until timestamptz, degraded_until timestamptz, has_telemetry boolean,
         metric_state jsonb, crash_chain_at timestamptz)
       ON CONFLICT (customer_id, gpu_id) DO UPDATE SET
         workspace_id = excluded.workspace_id, api_key_id = excluded.api_key_id, vendor = excluded.vendor,
         model = excluded.model, compute_stack = excluded.compute_stack, driver_version = excluded.driver_version,
         firmware_version = excluded.firmware_version, hostname = excluded.hostname,
         pcie_address = excluded.pcie_address, serial_no = excluded.serial_no, mig_enabled = excluded.mig_enabled,
         slowdown_temperature_c = excluded.slowdown_temperature_c,
         shutdown_temperature_c = excluded.shutdown_temperature_c,
         memory_temperature_limit_c = excluded.memory_temperature_limit_c,
         report_interval_seconds = excluded.report_interval_seconds, inventory_at = excluded.inventory_at,
         first_seen = excluded.first_seen, last_seen = excluded.last_seen, latest = excluded.latest,
         health_state = excluded.health_state, health_signals = excluded.health_signals,
         critical_until = excluded.critical_until, degraded_until = excluded.degraded_until,
         has_telemetry = excluded.has_telemetry, metric_state = excluded.metric_state,
         crash_chain_at = excluded.crash_chain_at`,
      [this.customerId, JSON.stringify(states.map(toRow))],
    );
  }
}

function countedGpu(state: GpuState): CountedEntity {
  const { firstSeen, lastSeen } = state;
  return { owner: gpuOwner(state), firstSeen, lastSeen, missingAt: missingAt(state) };
}

/** Returns when the GPU goes missing unless it sends another sample; null without samples. */
function missingAt({ healthState, inventory }: GpuState): string | null {
  if (healthState.at === undefined) return null;
  const interval = inventory.report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS;
  return new Date(Date.parse(healthState.at) + missingTimeoutMs(interval)).toISOString();
}

function toRow(state: GpuState): object {
  const { inventory } = state;
  return {
    gpu_id: state.gpuId,
    workspace_id: state.workspaceId,
    api_key_id: state.apiKeyId,
    vendor: inventory.vendor ?? '',
    model: inventory.model ?? '',
    compute_stack: inventory.compute_stack ?? '',
    driver_version: inventory.driver_version ?? '',
    firmware_version: inventory.firmware_version ?? '',
    hostname: inventory.hostname ?? '',
    pcie_address: inventory.pcie_address ?? '',
    serial_no: inventory.serial_no ?? '',
    mig_enabled: inventory.mig_enabled ?? false,
    slowdown_temperature_c: inventory.slowdown_temperature_c ?? null,
    shutdown_temperature_c: inventory.shutdown_temperature_c ?? null,
    memory_temperature_limit_c: inventory.memory_temperature_limit_c ?? null,
    report_interval_seconds: inventory.report_interval_seconds ?? DEFAULT_REPORT_INTERVAL_SECONDS,
    inventory_at: state.inventoryAt,
    first_seen: state.firstSeen,
    last_seen: state.lastSeen,
    has_telemetry: state.hasTelemetry,
    latest: state.latest,
    health_state: state.healthState,
    health_signals: state.healthSignals,
    critical_until: signalEnd(state.healthSignals, 'critical'),
    degraded_until: signalEnd(state.healthSignals, 'degraded'),
    metric_state: state.metricState,
    crash_chain_at: activeChainAt(state.metricState),
  };
}

function fromRow(row: GpuRow): GpuState {
  const {
    gpu_id,
    workspace_id,
    api_key_id,
    inventory_at,
    first_seen,
    last_seen,
    latest,
    health_state,
    health_signals,
    metric_state,
  } = row;
  return {
    gpuId: gpu_id,
    workspaceId: workspace_id,
    apiKeyId: api_key_id,
    inventory: {
      vendor: row.vendor,
      model: row.model,
      compute_stack: row.compute_stack,
      driver_version: row.driver_version,
      firmware_version: row.firmware_version,
      hostname: row.hostname,
      pcie_address: row.pcie_address,
      serial_no: row.serial_no,
      mig_enabled: row.mig_enabled,
      slowdown_temperature_c: row.slowdown_temperature_c,
      shutdown_temperature_c: row.shutdown_temperature_c,
      memory_temperature_limit_c: row.memory_temperature_limit_c,
      report_interval_seconds: row.report_interval_seconds,
    },
    inventoryAt: inventory_at.toISOString(),
    firstSeen: first_seen.toISOString(),
    lastSeen: last_seen.toISOString(),
    hasTelemetry: row.has_telemetry,
    latest,
    healthState: health_state,
    healthSignals: health_signals,
    metricState: metric_state,
  };
}
