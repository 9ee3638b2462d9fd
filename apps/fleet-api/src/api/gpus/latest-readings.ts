import type { LatestReadingsModel } from '../gpu-status/gpu-status.models.ts';
import { rounded } from '../rounded.ts';

const MIB_PER_GB = 1_024;

/** Converts MiB to GB of 1,024 MiB, the unit in which boards are specified, rounded to three decimals. */
export function gigabytes(mib: number | null | undefined): number | null {
  return mib === null || mib === undefined ? null : rounded(mib / MIB_PER_GB, 3);
}

/** Returns the SQL form of `gigabytes`. @param mib expression of a double precision */
export function gigabytesSql(mib: string): string {
  return `floor(${mib} / ${MIB_PER_GB} * 1000 + 0.5) / 1000`;
}

/** Names in `fleet.gpus.latest` of the readings that both the GPU detail and the GPU status contain. */
export type CommonReading =
  | 'utilization_pct'
  | 'memory_used_mib'
  | 'memory_total_mib'
  | 'temperature_c'
  | 'power_draw_w'
  | 'power_limit_w';

/** Returns the readings in the units of the API; null for a reading that was never reported. */
export function commonReadings(latest: Partial<Record<CommonReading, number>>): LatestReadingsModel {
  return {
    utilization_pct: latest.utilization_pct ?? null,
    memory_used_gb: gigabytes(latest.memory_used_mib),
    memory_total_gb: gigabytes(latest.memory_total_mib),
    temperature_c: latest.temperature_c ?? null,
    power_draw_w: latest.power_draw_w ?? null,
    power_limit_w: latest.power_limit_w ?? null,
  };
}
