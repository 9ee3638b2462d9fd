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
    n: before.n + 1,
    seconds: before.seconds + seconds,
    celsius: before.celsius + celsius,
    secondsSquared: before.secondsSquared + seconds * seconds,
    secondsCelsius: before.secondsCelsius + seconds * celsius,
    counted: null,
  };
  const spread = next.n * next.secondsSquared - next.seconds * next.seconds;
  if (spread <= 0) return next;
  const perSecond = (next.n * next.secondsCelsius - next.seconds * next.celsius) / spread;
  next.counted = inSumUnits(perSecond * SECONDS_PER_MINUTE);
  const isNew = before.counted === null;
  dayAt(startMs).add('thermal_slope', next.counted - (before.counted ?? 0), isNew ? 1 : 0);
  return next;
}

function emptyWindow(startMs: number): SlopeWindow {
  return { startMs, n: 0, seconds: 0, celsius: 0, secondsSquared: 0, secondsCelsius: 0, counted: null };
}
