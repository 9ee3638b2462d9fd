import { MINUTE_MS } from '@gpu-observatory/domain-types';
import { inSumUnits } from '../../model/metrics/measures.ts';
import type { SlopeWindow } from './metric-state.ts';
import type { MetricDay } from './rollups/metric-days.ts';

const WINDOW_MS = 10 * MINUTE_MS;
const SECONDS_PER_MINUTE = 60;

/**
 * Adds a temperature to its 10 minutes, and updates the mean of the day with the slope of their least-squares line, in °C per
 * minute. Each 10 minutes with readings at two different times count once (docs/fleet-api.md#fleet-metrics).
 */
export function addToSlope(
  current: SlopeWindow | undefined,
  atMs: number,
  celsius: number,
  dayAt: (ms: number) => MetricDay,
): SlopeWindow {
  const startMs = Math.floor(atMs / WINDOW_MS) * WINDOW_MS;
  const before = current?.startMs === startMs ? current : emptyWindow(startMs);
  const seconds = (atMs - startMs) / 1_000;
  const next: SlopeWindow = {
    startMs,
    count: before.count + 1,
    sumSeconds: before.sumSeconds + seconds,
    sumCelsius: before.sumCelsius + celsius,
    sumSecondsSquared: before.sumSecondsSquared + seconds * seconds,
    sumSecondsCelsius: before.sumSecondsCelsius + seconds * celsius,
    slopeInDay: null,
  };
  const { count, sumSeconds, sumCelsius, sumSecondsSquared, sumSecondsCelsius } = next;
  // 0 while all readings are of one time, which determine no line.
  const spread = count * sumSecondsSquared - sumSeconds * sumSeconds;
  if (spread <= 0) return next;
  const celsiusPerSecond = (count * sumSecondsCelsius - sumSeconds * sumCelsius) / spread;
  next.slopeInDay = inSumUnits(celsiusPerSecond * SECONDS_PER_MINUTE);
  const isNew = before.slopeInDay === null;
  dayAt(startMs).addSum('thermal_slope', next.slopeInDay - (before.slopeInDay ?? 0), isNew ? 1 : 0);
  return next;
}

function emptyWindow(startMs: number): SlopeWindow {
  return {
    startMs,
    count: 0,
    sumSeconds: 0,
    sumCelsius: 0,
    sumSecondsSquared: 0,
    sumSecondsCelsius: 0,
    slopeInDay: null,
  };
}
