import { SEVERITIES } from '@gpu-observatory/domain-types';
import { alertTypeTitle } from './alert-type-titles.ts';
import { ENTITY_KINDS, type EntityKind } from '../../model/metrics/counted-entities.ts';
import { MEANS, SUM_SCALE, type SumColumn, TOTALS } from '../../model/metrics/measures.ts';
import { healthOfDays } from './health-of-days.ts';
import { daysOf, type MetricsWindow } from './metrics-window.ts';
import { MetricDaySums } from './metric-day-sums.ts';
import type { MetricRows } from './metrics.service.ts';
import { type EntitiesSeen, entitiesSeen } from './entities-seen.ts';

/** The value of a day, such as `{ date: 'Nov 21', value: 1.5 }`; null without samples. */
interface Point {
  date: string;
  value: number | null;
}

/** See docs/fleet-api.md#fleet-metrics. */
interface FleetMetrics {
  alerts_by_severity: { label: string; value: number; data: Point[] }[];
  top_alert_types: { icon: string; title: string; count: number }[];
  asset_coverage: { label: string; count: number; data: Point[] }[];
  metrics_summary: Record<string, number | null>;
  metrics_charts: Record<string, Point[]>;
}

/** Keys of the summary that count entities, with the kind of the entities. */
const ENTITY_COUNTS = {
  gpu_count: 'gpu',
  process_count: 'process',
  container_count: 'container',
  gpu_container_count: 'gpu_container',
  mps_container_count: 'mps_container',
  container_process_count: 'container_process',
  vm_count: 'vm',
} as const satisfies Record<string, EntityKind>;

/** A metric over the window and on each of its days; null where unknown. */
interface Metric {
  value: number | null;
  days: (number | null)[];
}

/**
 * Computes the metrics from the rollups: means of all samples, sums of events, and distinct entities in the window.
 *
 * @param isOfApiKey whether the request filters by an API key, whose workspaces are counted separately
 */
export function fleetMetrics(rows: MetricRows, window: MetricsWindow, isOfApiKey: boolean): FleetMetrics {
  const dayStarts = daysOf(window);
  const labels = dayStarts.map(dayLabel);
  const points = (values: readonly (number | null)[]): Point[] =>
    values.map((value, day) => ({ date: labels[day] as string, value }));
  const sums = new MetricDaySums(rows.days, dayStarts.length);
  const column = (name: SumColumn) => sums.column(name);
  const seen = Object.fromEntries(
    ENTITY_KINDS.map((kind) => [kind, entitiesSeen(rows.entities, kind, dayStarts.length)]),
  ) as Record<EntityKind, EntitiesSeen>;

  const means = Object.fromEntries(
    MEANS.map((mean) => [mean, meanOf(column(`${mean}_sum`), column(`${mean}_n`), SUM_SCALE)]),
  ) as Record<(typeof MEANS)[number], Metric>;
  const totals = Object.fromEntries(
    TOTALS.map((total) => [total, { value: sum(column(total)), days: column(total) }]),
  ) as Record<(typeof TOTALS)[number], Metric>;
  const health = healthOfDays(
    dayStarts,
    { scoreMs: column('health_score_ms'), healthMs: column('health_ms') },
    rows.missing,
    Math.min(window.toMs, rows.data.asOfMs ?? window.toMs),
  );
  const count = (key: keyof typeof ENTITY_COUNTS): Metric => {
    const { inWindow, onDays } = seen[ENTITY_COUNTS[key]];
    return { value: inWindow, days: onDays };
  };

  const coverage = (label: string, kind: EntityKind) => ({
    label,
    count: seen[kind].inWindow,
    data: points(seen[kind].onDays),
  });

  const metrics: Record<string, Metric> = {
    gpu_count: count('gpu_count'),
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
    // A crash chain is a current state without history.
    active_crash_chains: { value: dayStarts.length === 0 ? 0 : rows.crashChains, days: [] },
    total_throttle_events: totals.throttle_events,
    avg_cpu_load: means.cpu_load,
    avg_cpu_utilization: means.cpu_utilization,
    process_count: count('process_count'),
    avg_fork_rate: means.fork_rate,
    avg_exit_rate: means.exit_rate,
    container_count: count('container_count'),
    gpu_container_count: count('gpu_container_count'),
    mps_container_count: count('mps_container_count'),
    container_process_count: count('container_process_count'),
    vm_count: count('vm_count'),
  };
  return {
    alerts_by_severity: SEVERITIES.map((label) => {
      const counts = column(`alerts_${label}`);
      return { label, value: sum(counts), data: points(counts) };
    }),
    top_alert_types: rows.types.map(([type, n]) => ({ ...alertTypeTitle(type), count: n })),
    asset_coverage: [
      coverage('GPUs', 'gpu'),
      coverage('Hosts', 'host'),
      coverage('Containers', 'container'),
      coverage('VMs', 'vm'),
      coverage('Workspaces', isOfApiKey ? 'key_workspace' : 'workspace'),
    ],
    metrics_summary: Object.fromEntries(Object.entries(metrics).map(([key, { value }]) => [key, value])),
    metrics_charts: Object.fromEntries(
      Object.entries(metrics)
        .filter(([key, { days }]) => hasData(key, days))
        .map(([key, { days }]) => [key, points(days)]),
    ),
  };
}

/** Returns whether a metric has data. A mean of 0 comes from samples, but a sum of 0 may have none. */
function hasData(key: string, days: Metric['days']): boolean {
  const isMean = key.startsWith('avg_');
  return days.some((value) => value !== null && (value !== 0 || isMean));
}

/** Returns the means of the window and of its days. The mean of the window weights samples, not days, equally. */
function meanOf(sums: number[], counts: number[], scale: number): Metric {
  const mean = (total: number, n: number) => (n > 0 ? rounded(total / n / scale) : null);
  return {
    value: mean(sum(sums), sum(counts)),
    days: sums.map((total, i) => mean(total, counts[i] as number)),
  };
}

const MILLIJOULES_PER_KILOWATT_HOUR = 3.6e9;

/** Converts sums of millijoules. A sum of 0 becomes null: GPUs without energy counters add nothing to it. */
function inKilowattHours({ value, days }: Metric): Metric {
  const convert = (sum: number | null) => (sum ? rounded(sum / MILLIJOULES_PER_KILOWATT_HOUR) : null);
  return { value: convert(value), days: days.map(convert) };
}

/** Rounds to four decimals. */
function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function dayLabel(dayMs: number): string {
  const day = new Date(dayMs);
  return `${MONTHS[day.getUTCMonth()] as string} ${day.getUTCDate()}`;
}
