import {
  DAY_READINGS,
  HALF_HOUR_MS,
  HALF_HOUR_READINGS,
  HALF_HOURS_PER_DAY,
} from '../../model/gpu-days/format.ts';
import { MIN_MEMORY_MIB, SAMPLES_PER_HALF_HOUR } from '../records/limits.ts';
import type { GpuReadings } from '../records/gpu-readings.ts';
import type { GpuDayRecord } from '../records/records.ts';

/** Sum and number of values. */
interface Mean {
  sum: number;
  n: number;
}
/** Sum and number of values per half hour. */
interface HalfHourMeans {
  sum: number[];
  n: number[];
}
type HalfHourReading = (typeof HALF_HOUR_READINGS)[number];
type DayReading = (typeof DAY_READINGS)[number];

const zeros = () => new Array<number>(HALF_HOURS_PER_DAY).fill(0);

/** Sums and counts of one UTC day of a GPU (`fleet.gpu_days`, model/gpu-days/README.md). */
export class GpuDay {
  /** Number of samples per half hour. */
  samples = zeros();
  /** Means in the order of `HALF_HOUR_READINGS`. */
  halfHourMeans: HalfHourMeans[] = HALF_HOUR_READINGS.map(() => ({ sum: zeros(), n: zeros() }));
  /** Number of samples per half hour from a source that reports XIDs. */
  xidReports = zeros();
  memoryPct: Mean = { sum: 0, n: 0 };
  /** Means in the order of `DAY_READINGS`. */
  dayMeans: Mean[] = DAY_READINGS.map(() => ({ sum: 0, n: 0 }));

  constructor(readonly startMs: number) {}

  /** Adds a sample. @returns false when the half hour is full and nothing was added */
  add(atMs: number, readings: GpuReadings): boolean {
    const halfHour = Math.floor((atMs - this.startMs) / HALF_HOUR_MS);
    if ((this.samples[halfHour] as number) >= SAMPLES_PER_HALF_HOUR) return false;
    this.samples[halfHour] = (this.samples[halfHour] as number) + 1;
    for (let i = 0; i < HALF_HOUR_READINGS.length; i++) {
      const { reading } = HALF_HOUR_READINGS[i] as HalfHourReading;
      addAt(this.halfHourMeans[i] as HalfHourMeans, halfHour, readings[reading]);
    }
    if (readings.xid_last_code !== null && readings.xid_last_code !== undefined)
      this.xidReports[halfHour] = (this.xidReports[halfHour] as number) + 1;
    addTo(this.memoryPct, memoryPercent(readings.memory_used_mib, readings.memory_total_mib));
    for (let i = 0; i < DAY_READINGS.length; i++)
      addTo(this.dayMeans[i] as Mean, readings[(DAY_READINGS[i] as DayReading).reading]);
    return true;
  }

  /** Converts a `gpu_day` record. Its means are weighted by its sample counts. */
  static fromRecord(record: GpuDayRecord): GpuDay {
    const day = new GpuDay(Date.parse(`${record.day}T00:00:00Z`));
    day.samples = [...record.samples];
    day.halfHourMeans = HALF_HOUR_READINGS.map(({ reading }) => weighted(record[reading], record.samples));
    if (record.xid_reported) day.xidReports = [...record.samples];
    const total = sumOf(record.samples);
    day.dayMeans = DAY_READINGS.map(({ reading }) => {
      const mean = record[reading];
      return mean === null || mean === undefined ? { sum: 0, n: 0 } : { sum: mean * total, n: total };
    });
    const used = weighted(record.memory_used_mib, record.samples);
    const n = sumOf(used.n);
    if (record.memory_total_mib && n > 0)
      day.memoryPct = { sum: (sumOf(used.sum) / record.memory_total_mib) * 100, n };
    return day;
  }
}

/** Weights the mean of each half hour with its number of samples. */
function weighted(means: readonly (number | null)[], samples: readonly number[]): HalfHourMeans {
  const n = means.map((mean, halfHour) => (mean === null ? 0 : (samples[halfHour] as number)));
  return { n, sum: means.map((mean, halfHour) => (n[halfHour] as number) * (mean ?? 0)) };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function addAt(into: HalfHourMeans, halfHour: number, value: number | null | undefined): void {
  if (value === null || value === undefined) return;
  into.sum[halfHour] = (into.sum[halfHour] as number) + value;
  into.n[halfHour] = (into.n[halfHour] as number) + 1;
}

function addTo(into: Mean, value: number | null | undefined): void {
  if (value === null || value === undefined) return;
  into.sum += value;
  into.n += 1;
}

/** Returns used memory in percent of the total; null when a reading is missing, or when used memory exceeds the total. */
export function memoryPercent(
  used: number | null | undefined,
  total: number | null | undefined,
): number | null {
  if (typeof used !== 'number' || typeof total !== 'number') return null;
  return total < MIN_MEMORY_MIB || used > total ? null : (used / total) * 100;
}
