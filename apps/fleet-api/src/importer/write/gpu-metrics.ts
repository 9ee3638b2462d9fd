import { HOUR_MS } from '@gpu-observatory/domain-types';
import { healthIntervals } from '../../model/health/health-interval.ts';
import type { HealthSignal } from '../../model/health/health-signal.ts';
import { missingTimeoutMs } from '../../model/health/missing-data-timeout.ts';
import { throttlingBegan } from '../../model/health/throttle-reasons.ts';
import { HEALTH_SCORES, type Mean } from '../../model/metrics/measures.ts';
import { dayStart } from '../../model/metrics/time-grains.ts';
import { DAY_READINGS } from '../../model/gpu-days/format.ts';
import type { GpuReadings } from '../records/gpu-readings.ts';
import type { GpuDayRecord } from '../records/records.ts';
import { memoryPercent } from './gpu-day.ts';
import type { MetricState } from './metric-state.ts';
import type { MetricDay, MetricDayBatch } from './rollups/metric-days.ts';
import type { Owner } from '../../model/metrics/rollup-scope.ts';
import { addToSlope } from './thermal-slope.ts';

/** A slope is computed for each 10 minutes. */
const SLOPES_PER_HALF_HOUR = 3;

/** Adds the readings of a sample, also of a late one, to the means of its day. */
export function addReadings(day: MetricDay, readings: GpuReadings): void {
  day.addReading('gpu_utilization', readings.utilization_pct);
  day.addReading('gpu_temperature', readings.temperature_c);
  day.addReading('gpu_power', readings.power_draw_w);
  day.addReading('gpu_memory', memoryPercent(readings.memory_used_mib, readings.memory_total_mib));
  for (const { reading, mean } of DAY_READINGS) day.addReading(mean, readings[reading]);
}

/** Adds a `gpu_day` record. Its means are weighted by its sample counts. */
export function addMeasuredDay(day: MetricDay, record: GpuDayRecord): void {
  const addHalfHours = (mean: Mean, halfHourMeans: readonly (number | null)[], scale = 1) => {
    let sum = 0;
    let n = 0;
    halfHourMeans.forEach((value, halfHour) => {
      if (value === null) return;
      sum += value * scale * (record.samples[halfHour] as number);
      n += record.samples[halfHour] as number;
    });
    if (n > 0) day.addReading(mean, sum / n, n);
  };
  const samples = record.samples.reduce((sum, n) => sum + n, 0);
  const measuredHalfHours = record.samples.filter((n) => n > 0).length;
  addHalfHours('gpu_utilization', record.utilization_pct);
  addHalfHours('gpu_temperature', record.temperature_c);
  addHalfHours('gpu_power', record.power_draw_w);
  // The mean is a percentage of the total.
  if (record.memory_total_mib)
    addHalfHours('gpu_memory', record.memory_used_mib, 100 / record.memory_total_mib);
  for (const { reading, mean } of DAY_READINGS) day.addReading(mean, record[reading], samples);
  day.addReading(
    'thermal_slope',
    record.thermal_slope_c_per_minute,
    SLOPES_PER_HALF_HOUR * measuredHalfHours,
  );
  if (record.health_score != null)
    day.addHealthDuration(record.health_score, Math.round((record.health_hours ?? 24) * HOUR_MS));
  day.addToTotal('ecc_errors', record.ecc_errors ?? 0);
  day.addToTotal('throttle_events', record.throttle_events ?? 0);
  day.addToTotal('energy_millijoules', record.energy_millijoules ?? 0);
}

/** The newest sample of a GPU, and the state before it. */
interface NewestSample {
  owner: Owner;
  at: string;
  readings: GpuReadings;
  /** Time of the previous sample; undefined for the first. */
  previousAt: string | undefined;
  /** Health signals before this sample. */
  signals: readonly HealthSignal[];
  reportIntervalSeconds: number;
}

/**
 * Adds metrics that compare the newest sample with the previous one: time in each health, growth of counters, onset of throttling,
 * slope of the temperature.
 */
export function observeMetrics(
  state: MetricState,
  sample: NewestSample,
  metricDays: MetricDayBatch,
): MetricState {
  const { owner, at, readings } = sample;
  const { throttle_reasons: reasons, ecc_single_bit_total: single, ecc_double_bit_total: double } = readings;
  const { temperature_c: celsius, energy_millijoules_total: energy } = readings;
  const atMs = Date.parse(at);
  const today = metricDays.dayOf(owner, atMs);
  const healthyUntil = addHealthDurations(sample, atMs, metricDays);
  today.addToTotal(
    'ecc_errors',
    growth(state.eccSingleBitTotal, single) + growth(state.eccDoubleBitTotal, double),
  );
  today.addToTotal('energy_millijoules', growth(state.energyMillijoulesTotal, energy));
  if (throttlingBegan(state.throttleReasons, reasons)) today.addToTotal('throttle_events', 1);
  const next = { ...state };
  if (healthyUntil !== undefined) next.healthyUntil = healthyUntil;
  if (reasons != null) next.throttleReasons = reasons;
  if (single != null) next.eccSingleBitTotal = single;
  if (double != null) next.eccDoubleBitTotal = double;
  if (energy != null) next.energyMillijoulesTotal = energy;
  if (celsius != null)
    next.slope = addToSlope(state.slope, atMs, celsius, (ms) => metricDays.dayOf(owner, ms));
  return next;
}

/**
 * Adds the time in each health since the previous sample.
 *
 * @returns the end of the last healthy interval since then, undefined without one
 */
function addHealthDurations(
  { owner, at, previousAt, signals, reportIntervalSeconds }: NewestSample,
  atMs: number,
  metricDays: MetricDayBatch,
): string | undefined {
  if (previousAt === undefined) return undefined;
  const fromMs = Date.parse(previousAt);
  // Fast path: healthy since the previous sample, within one day.
  if (
    signals.length === 0 &&
    atMs - fromMs <= missingTimeoutMs(reportIntervalSeconds) &&
    dayStart(fromMs) === dayStart(atMs)
  ) {
    metricDays.dayOf(owner, fromMs).addHealthDuration(HEALTH_SCORES.healthy, atMs - fromMs);
    return at;
  }
  const intervals = healthIntervals(fromMs, atMs, signals, reportIntervalSeconds);
  for (const { fromMs: startMs, toMs, health } of intervals)
    metricDays.dayOf(owner, startMs).addHealthDuration(HEALTH_SCORES[health], toMs - startMs);
  const healthy = intervals.findLast(({ health }) => health === 'healthy');
  return healthy && new Date(healthy.toMs).toISOString();
}

/** Returns the growth of a counter; 0 when a value is unknown, or when the counter fell, because it was then reset. */
function growth(before: number | undefined, now: number | null | undefined): number {
  return before === undefined || now == null ? 0 : Math.max(0, now - before);
}
