import type { HealthFact } from '../../model/health/health-signal.ts';
import { healthSpells, toleratedSilenceMs } from '../../model/health/health-interval.ts';
import { HEALTH_SCORES } from '../../model/metrics/measures.ts';
import type { GpuDayRecord, GpuReadings } from '../records/records.ts';
import { dayOf, memoryPercent } from './gpu-day.ts';
import type { MetricMemory } from './metric-state.ts';
import type { MetricDay, MetricDays } from './rollups/metric-days.ts';
import type { Owner } from '../../model/metrics/rollup-scope.ts';
import { addToSlope } from './thermal-slope.ts';

const HOUR_MS = 3_600_000;
/** Of the lines through ten minutes each, so many are in a half hour. */
const SLOPES_PER_HALF_HOUR = 3;
/** Reasons whose beginning is a throttle event: hardware slowdown, software thermal, hardware thermal, power brake. */
const THROTTLING = 0x8 | 0x20 | 0x40 | 0x80;

/** Adds one sample's readings to the means of its day; late ones count too. */
export function addReadings(day: MetricDay, readings: GpuReadings): void {
  day.read('gpu_utilization', readings.utilization_pct);
  day.read('gpu_temperature', readings.temperature_c);
  day.read('gpu_power', readings.power_draw_w);
  day.read('gpu_memory', memoryPercent(readings.memory_used_mib, readings.memory_total_mib));
  day.read('gpu_fan_speed', readings.fan_pct);
  day.read('clock_speed', readings.sm_clock_mhz);
  day.read('memory_clock', readings.memory_clock_mhz);
}

/** Adds a day that was measured elsewhere: means of so many samples. */
export function addMeasuredDay(day: MetricDay, record: GpuDayRecord): void {
  const ofHalfHours = (means: (number | null)[], scale = 1) => {
    let sum = 0;
    let n = 0;
    means.forEach((mean, i) => {
      if (mean === null) return;
      sum += mean * scale * (record.samples[i] as number);
      n += record.samples[i] as number;
    });
    return [n === 0 ? null : sum / n, n] as const;
  };
  const samples = record.samples.reduce((sum, n) => sum + n, 0);
  const heardHalfHours = record.samples.filter((n) => n > 0).length;
  day.read('gpu_utilization', ...ofHalfHours(record.utilization_pct));
  day.read('gpu_temperature', ...ofHalfHours(record.temperature_c));
  day.read('gpu_power', ...ofHalfHours(record.power_draw_w));
  if (record.memory_total_mib)
    day.read('gpu_memory', ...ofHalfHours(record.memory_used_mib, 100 / record.memory_total_mib));
  day.read('gpu_fan_speed', record.fan_pct, samples);
  day.read('clock_speed', record.sm_clock_mhz, samples);
  day.read('memory_clock', record.memory_clock_mhz, samples);
  day.read('thermal_slope', record.thermal_slope_c_per_minute, SLOPES_PER_HALF_HOUR * heardHalfHours);
  if (record.health_score != null)
    day.spend(record.health_score, Math.round((record.health_hours ?? 24) * HOUR_MS));
  day.count('ecc_errors', record.ecc_errors ?? 0);
  day.count('throttle_events', record.throttle_events ?? 0);
}

/** The newest sample of a GPU, and what was known before it. */
export interface NewestSample {
  owner: Owner;
  at: string;
  readings: GpuReadings;
  /** The time of the sample before; none when this is the first. */
  previousAt: string | undefined;
  /** The facts that were known since then. */
  facts: readonly HealthFact[];
  reportIntervalSeconds: number;
}

/**
 * Adds what only the newest sample of a GPU can tell, by what it differs in from the one before: how long which health
 * held, counters' growth, the beginning of throttling, the slope of the temperature.
 */
export function observeMetrics(memory: MetricMemory, sample: NewestSample, days: MetricDays): MetricMemory {
  const { owner, at, readings } = sample;
  const { throttle_reasons: reasons, ecc_single_bit_total: single, ecc_double_bit_total: double } = readings;
  const { temperature_c: celsius } = readings;
  const atMs = Date.parse(at);
  const today = days.at(owner, atMs);
  const healthyUntil = spendTime(sample, atMs, days);
  today.count(
    'ecc_errors',
    growth(memory.eccSingleBitTotal, single) + growth(memory.eccDoubleBitTotal, double),
  );
  // Bit operations in JavaScript are 32 bit; every reason that counts lies in the lowest byte.
  const began =
    reasons != null &&
    memory.throttleReasons !== undefined &&
    ((reasons % 256) & ~(memory.throttleReasons % 256) & THROTTLING) !== 0;
  if (began) today.count('throttle_events', 1);
  return {
    ...memory,
    ...(healthyUntil === undefined ? {} : { healthyUntil }),
    ...(reasons == null ? {} : { throttleReasons: reasons }),
    ...(single == null ? {} : { eccSingleBitTotal: single }),
    ...(double == null ? {} : { eccDoubleBitTotal: double }),
    ...(celsius == null
      ? {}
      : { slope: addToSlope(memory.slope, atMs, celsius, (ms) => days.at(owner, ms)) }),
  };
}

/** @returns until when the GPU was healthy, if it was since the sample before */
function spendTime(
  { owner, at, previousAt, facts, reportIntervalSeconds }: NewestSample,
  atMs: number,
  days: MetricDays,
): string | undefined {
  if (previousAt === undefined) return undefined;
  const fromMs = Date.parse(previousAt);
  // Almost every time: healthy all along, within a day.
  if (
    facts.length === 0 &&
    atMs - fromMs <= toleratedSilenceMs(reportIntervalSeconds) &&
    dayOf(fromMs) === dayOf(atMs)
  ) {
    days.at(owner, fromMs).spend(HEALTH_SCORES.healthy, atMs - fromMs);
    return at;
  }
  const spells = healthSpells(fromMs, atMs, facts, reportIntervalSeconds);
  for (const { fromMs, toMs, health } of spells)
    days.at(owner, fromMs).spend(HEALTH_SCORES[health], toMs - fromMs);
  const healthy = spells.findLast(({ health }) => health === 'healthy');
  return healthy && new Date(healthy.toMs).toISOString();
}

/** A counter that fell began anew. */
function growth(before: number | undefined, now: number | null | undefined): number {
  return before === undefined || now == null ? 0 : Math.max(0, now - before);
}
