import { DAY_READINGS, HALF_HOUR_MS, HALF_HOURS_PER_DAY } from '../../model/gpu-days/format.ts';
import { MIN_MEMORY_MIB, SAMPLES_PER_HALF_HOUR } from '../records/limits.ts';
import type { GpuReadings } from '../records/gpu-readings.ts';
import type { GpuDayRecord } from '../records/records.ts';

interface Mean {
  sum: number;
  n: number;
}
type DayReading = (typeof DAY_READINGS)[number];

const zeros = () => new Array<number>(HALF_HOURS_PER_DAY).fill(0);

/** Sums and counts of one UTC day of a GPU (`fleet.gpu_days`, model/gpu-days/README.md). */
export class GpuDay {
  samples = zeros();
  utilization = { sum: zeros(), n: zeros() };
  memoryUsed = { sum: zeros(), n: zeros() };
  temperature = { sum: zeros(), n: zeros() };
  power = { sum: zeros(), n: zeros() };
  xidReports = zeros();
  memoryPct = { sum: 0, n: 0 };
  /** In the order of `DAY_READINGS`. */
  dayMeans = DAY_READINGS.map(() => ({ sum: 0, n: 0 }));

  constructor(readonly startMs: number) {}

  /** Adds a sample. @returns false when the half hour is full and nothing was added */
  add(atMs: number, readings: GpuReadings): boolean {
    const slot = Math.floor((atMs - this.startMs) / HALF_HOUR_MS);
    if ((this.samples[slot] as number) >= SAMPLES_PER_HALF_HOUR) return false;
    this.samples[slot] = (this.samples[slot] as number) + 1;
    addAt(this.utilization, slot, readings.utilization_pct);
    addAt(this.memoryUsed, slot, readings.memory_used_mib);
    addAt(this.temperature, slot, readings.temperature_c);
    addAt(this.power, slot, readings.power_draw_w);
    if (readings.xid_last_code !== null && readings.xid_last_code !== undefined) {
      this.xidReports[slot] = (this.xidReports[slot] as number) + 1;
    }
    addTo(this.memoryPct, memoryPercent(readings.memory_used_mib, readings.memory_total_mib));
    for (let i = 0; i < DAY_READINGS.length; i++)
      addTo(this.dayMeans[i] as Mean, readings[(DAY_READINGS[i] as DayReading).reading]);
    return true;
  }

  /** Converts a `gpu_day` record: means weighted by sample counts. */
  static fromRecord(record: GpuDayRecord): GpuDay {
    const day = new GpuDay(Date.parse(`${record.day}T00:00:00Z`));
    day.samples = [...record.samples];
    const fill = (into: { sum: number[]; n: number[] }, means: (number | null)[]) =>
      means.forEach((mean, slot) => {
        const n = mean === null ? 0 : (record.samples[slot] as number);
        into.n[slot] = n;
        into.sum[slot] = n * (mean ?? 0);
      });
    fill(day.utilization, record.utilization_pct);
    fill(day.memoryUsed, record.memory_used_mib);
    fill(day.temperature, record.temperature_c);
    fill(day.power, record.power_draw_w);
    if (record.xid_reported) day.xidReports = [...record.samples];
    const total = record.samples.reduce((sum, n) => sum + n, 0);
    day.dayMeans = DAY_READINGS.map(({ reading }) => {
      const mean = record[reading];
      return mean === null || mean === undefined ? { sum: 0, n: 0 } : { sum: mean * total, n: total };
    });
    const used = day.memoryUsed.sum.reduce((sum, value) => sum + value, 0);
    const n = day.memoryUsed.n.reduce((sum, value) => sum + value, 0);
    if (record.memory_total_mib && n > 0) day.memoryPct = { sum: (used / record.memory_total_mib) * 100, n };
    return day;
  }
}

function addAt(into: { sum: number[]; n: number[] }, slot: number, value: number | null | undefined): void {
  if (value === null || value === undefined) return;
  into.sum[slot] = (into.sum[slot] as number) + value;
  into.n[slot] = (into.n[slot] as number) + 1;
}

function addTo(into: Mean, value: number | null | undefined): void {
  if (value === null || value === undefined) return;
  into.sum += value;
  into.n += 1;
}

/** Returns null when a reading is missing or invalid: more memory in use than there is. */
export function memoryPercent(
  used: number | null | undefined,
  total: number | null | undefined,
): number | null {
  if (typeof used !== 'number' || typeof total !== 'number') return null;
  return total < MIN_MEMORY_MIB || used > total ? null : (used / total) * 100;
}
