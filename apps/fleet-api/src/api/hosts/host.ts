import type { GpuHealth } from '@gpu-observatory/domain-types';
import { healthSince } from '../../model/health/health-reasons.ts';
import { type GpuStatusRow, toReasons } from '../gpu-status/gpu-status.ts';
import { IDLE_BELOW_PCT } from '../gpu-status/status-columns.sql.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import { rounded } from '../rounded.ts';
import type { GpusByHealthModel, HostModel } from './hosts.models.ts';

/** A GPU of a host. The columns of the host are the same in each row. */
export interface HostGpuRow extends GpuStatusRow {
  customer_id: number;
  alerts: HostModel['alerts'];
}

/** @param rows all GPUs of a host, at least one */
export function toHost(rows: readonly HostGpuRow[]): HostModel {
  const worst = worstOf(rows);
  const [reason] = toReasons(worst);
  const latestReadings = rows.filter(({ health }) => health !== 'missing').map(({ latest }) => latest);
  const means = known(rows.map((row) => row.mean_utilization_pct));
  return {
    hostname: worst.hostname,
    customer_id: worst.customer_id,
    workspace_ids: [...new Set(rows.map((row) => row.workspace_id))].sort((a, b) => a - b),
    health: worst.health,
    since: healthSince(worst),
    reason: reason === undefined ? null : { ...reason, gpu_id: worst.gpu_id },
    gpu_count: rows.length,
    gpus_by_health: gpusByHealth(rows),
    models: [...new Set(rows.map(({ model }) => model))].sort(compareCodePoints),
    latest: {
      utilization_pct: meanOf(known(latestReadings.map((latest) => latest.utilization_pct))),
      max_temperature_c: maxOf(known(latestReadings.map((latest) => latest.temperature_c))),
      power_draw_w: sumOf(known(latestReadings.map((latest) => latest.power_draw_w))),
    },
    mean: { utilization_pct: meanOf(means) },
    idle_gpu_count: means.filter((percent) => percent < IDLE_BELOW_PCT).length,
    alerts: worst.alerts,
    last_seen: new Date(Math.max(...rows.map((row) => row.last_seen.getTime()))).toISOString(),
  };
}

/** Returns the GPU with the worst health. Of several, the GPU that has had it longest, which is often the cause. */
function worstOf(rows: readonly HostGpuRow[]): HostGpuRow {
  const sorted = rows.toSorted(
    (a, b) =>
      a.rank - b.rank ||
      compareCodePoints(healthSince(a) ?? '', healthSince(b) ?? '') ||
      compareCodePoints(a.gpu_id, b.gpu_id),
  );
  return sorted[0] as HostGpuRow;
}

function gpusByHealth(rows: readonly HostGpuRow[]): GpusByHealthModel {
  const count = (health: GpuHealth) => rows.filter((row) => row.health === health).length;
  return {
    critical: count('critical'),
    missing: count('missing'),
    degraded: count('degraded'),
    healthy: count('healthy'),
  };
}

/** Returns the values that are known. */
function known(values: readonly (number | null | undefined)[]): number[] {
  return values.filter((value) => value !== null && value !== undefined);
}

/** @returns null without values; the same for `maxOf` and `sumOf` */
function meanOf(values: number[]): number | null {
  const sum = sumOf(values);
  return sum === null ? null : rounded(sum / values.length, 2);
}

function maxOf(values: number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

function sumOf(values: number[]): number | null {
  return values.length === 0
    ? null
    : rounded(
        values.reduce((total, value) => total + value, 0),
        2,
      );
}
