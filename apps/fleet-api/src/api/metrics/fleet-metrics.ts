import { SEVERITIES } from '@gpu-observatory/domain-types';
import { ENTITY_KINDS, type EntityKind } from '../../model/metrics/counted-entities.ts';
import {
  type Mean,
  MEANS,
  MILLIJOULES_PER_KWH,
  SUM_SCALE,
  type Total,
  TOTALS,
} from '../../model/metrics/measures.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { sumByName } from '../merge-by-key.ts';
import { rounded } from '../rounded.ts';
import { ALERT_TYPE_TITLES } from './alert-type-titles.ts';
import { type DaySums, daySumsOf } from './day-sums.ts';
import { type EntitiesSeen, entitiesSeen } from './entities-seen.ts';
import { healthOfDays } from './health-of-days.ts';
import type { FleetMetricsModel } from './metrics.models.ts';
import { daysOf } from './metrics-window.ts';
import type { MetricsRow } from './metrics.statements.ts';

const MOST_FREQUENT_TYPES = 3;

/** A metric over the window and on each of its days; null where unknown. */
interface Metric {
  /** Counts of entities are totals. */
  kind: 'mean' | 'total';
  value: number | null;
  days: (number | null)[];
}

/**
 * Computes the metrics from the rollups: means of all samples, sums of events, and distinct entities in the window.
 *
 * @param rows a row per customer; none when the caller's access is empty
 * @param asOfMs time of the newest import, in ms since the epoch; null when there was none
 * @param hasApiKeyFilter whether the request filters by an API key; its workspaces are counted as the kind `key_workspace`
 */
export function fleetMetrics(
  rows: readonly MetricsRow[],
  window: TimeWindow,
  asOfMs: number | null,
  hasApiKeyFilter: boolean,
): FleetMetricsModel {
  const dayStarts = daysOf(window);
  const labels = dayStarts.map(dayLabel);
  const points = <Value>(values: readonly Value[]) =>
    values.map((value, day) => ({ date: labels[day] as string, value }));
  const daySums = daySumsOf(
    rows.map(({ days }) => days),
    dayStarts.length,
  );
  const entities = rows.flatMap((row) => row.entities);
  const seen = Object.fromEntries(
    ENTITY_KINDS.map((kind) => [kind, entitiesSeen(entities, kind, dayStarts.length)]),
  ) as Record<EntityKind, EntitiesSeen>;
  const metrics = Object.entries(metricsByKey(rows, window, asOfMs, { daySums, seen }));
  const coverage = (label: string, kind: EntityKind) => ({
    label,
    count: seen[kind].inWindow,
    data: points(seen[kind].onDays),
  });

  return {
    alerts_by_severity: SEVERITIES.map((label) => {
      const counts = daySums[`alerts_${label}`];
      return { label, value: sum(counts), data: points(counts) };
    }),
    top_alert_types: sumByName(rows.flatMap(({ types }) => types))
      .slice(0, MOST_FREQUENT_TYPES)
      .map(([type, n]) => ({ ...ALERT_TYPE_TITLES[type], count: n })),
    asset_coverage: [
      coverage('GPUs', 'gpu'),
      coverage('Hosts', 'host'),
      coverage('Containers', 'container'),
      coverage('VMs', 'vm'),
      coverage('Workspaces', hasApiKeyFilter ? 'key_workspace' : 'workspace'),
    ],
    metrics_summary: Object.fromEntries(
      metrics.map(([key, { value }]) => [key, value]),
    ) as unknown as FleetMetricsModel['metrics_summary'],
    metrics_charts: Object.fromEntries(
      metrics.filter(([, metric]) => hasData(metric)).map(([key, { days }]) => [key, points(days)]),
    ),
  };
}

/** Returns the metrics by their key in `metrics_summary`. */
function metricsByKey(
  rows: readonly MetricsRow[],
  window: TimeWindow,
  asOfMs: number | null,
  { daySums, seen }: { daySums: DaySums; seen: Record<EntityKind, EntitiesSeen> },
): Record<keyof FleetMetricsModel['metrics_summary'], Metric> {
  const dayStarts = daysOf(window);
  const means = Object.fromEntries(
    MEANS.map((mean) => [mean, meanOf(daySums[`${mean}_sum`], daySums[`${mean}_n`], SUM_SCALE)]),
  ) as Record<Mean, Metric>;
  const totals = Object.fromEntries(TOTALS.map((total) => [total, totalOf(daySums[total])])) as Record<
    Total,
    Metric
  >;
  const health = healthOfDays(
    dayStarts,
    { scoreMs: daySums.health_score_ms, healthMs: daySums.health_ms },
    rows.flatMap(({ missing }) => missing),
    // Health is known up to the newest import.
    Math.min(window.toMs, asOfMs ?? window.toMs),
  );
  const isInChain = (healthyAtMs: number | null) => healthyAtMs === null || healthyAtMs > (asOfMs ?? 0);
  const crashChains = rows.flatMap((row) => row.crash_chains).filter(isInChain).length;
  const entityCount = (kind: EntityKind): Metric => ({
    kind: 'total',
    value: seen[kind].inWindow,
    days: seen[kind].onDays,
  });

  return {
    gpu_count: entityCount('gpu'),
    avg_gpu_utilization: means.gpu_utilization,
    avg_gpu_temperature: means.gpu_temperature,
    avg_gpu_power: means.gpu_power,
    avg_gpu_memory: means.gpu_memory,
    avg_gpu_fan_speed: means.gpu_fan_speed,
    avg_clock_speed: means.clock_speed,
    avg_memory_clock: means.memory_clock,
    avg_memory_temperature_c: means.memory_temperature_c,
    avg_tensor_active_pct: means.tensor_active_pct,
    avg_dram_active_pct: means.dram_active_pct,
    avg_pcie_tx_mb_per_second: means.pcie_tx_mb_per_second,
    avg_pcie_rx_mb_per_second: means.pcie_rx_mb_per_second,
    total_energy_kwh: inKilowattHours(totals.energy_millijoules),
    avg_health_score: meanOf(health.scoreMs, health.healthMs, 1),
    avg_thermal_slope: means.thermal_slope,
    total_ecc_errors: totals.ecc_errors,
    total_xid_errors: totals.xid_errors,
    // Crash chains have no history: the value is the current number, and there is no chart. An empty window has none.
    active_crash_chains: { kind: 'total', value: dayStarts.length === 0 ? 0 : crashChains, days: [] },
    total_throttle_events: totals.throttle_events,
    avg_cpu_load: means.cpu_load,
    avg_cpu_utilization: means.cpu_utilization,
    process_count: entityCount('process'),
    avg_fork_rate: means.fork_rate,
    avg_exit_rate: means.exit_rate,
    container_count: entityCount('container'),
    gpu_container_count: entityCount('gpu_container'),
    mps_container_count: entityCount('mps_container'),
    container_process_count: entityCount('container_process'),
    vm_count: entityCount('vm'),
  };
}

/** Returns whether a metric has data. A mean of 0 does. A total of 0 does not, because there may have been no samples. */
function hasData({ kind, days }: Metric): boolean {
  return days.some((value) => value !== null && (value !== 0 || kind === 'mean'));
}

/** Returns the means of the window and of its days. The mean of the window weights samples, not days, equally. */
function meanOf(sums: number[], counts: number[], scale: number): Metric {
  const mean = (total: number, n: number) => (n > 0 ? rounded(total / n / scale, 4) : null);
  return {
    kind: 'mean',
    value: mean(sum(sums), sum(counts)),
    days: sums.map((total, i) => mean(total, counts[i] as number)),
  };
}

function totalOf(days: number[]): Metric {
  return { kind: 'total', value: sum(days), days };
}

/** Converts millijoules to kWh. 0 becomes null, because GPUs without an energy counter contribute 0. */
function inKilowattHours({ kind, value, days }: Metric): Metric {
  const convert = (sum: number | null) => (sum ? rounded(sum / MILLIJOULES_PER_KWH, 4) : null);
  return { kind, value: convert(value), days: days.map(convert) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayLabel(dayMs: number): string {
  const day = new Date(dayMs);
  return `${MONTHS[day.getUTCMonth()] as string} ${day.getUTCDate()}`;
}
