import { HEALTH_SCORES } from '../../model/metrics/measures.ts';
import { GRAIN } from '../../model/metrics/time-grains.ts';
import { DAY_MS, dayBefore } from './metrics-window.ts';
import type { SilenceRow } from './metrics.queries.ts';

const HOUR_MS = 3_600_000;

/** By day: how long GPUs' health is known, and that time weighted by the score of the health. */
export interface HealthOfDays {
  scoreMs: number[];
  healthMs: number[];
}

/**
 * Adds the GPUs that fell silent within the window and were not heard again: they are missing from then on, until the
 * window ends or the data do. What was measured knows only of the time between two reports.
 *
 * @param endMs where the window or the data end; only its whole hours count
 */
export function healthOfDays(
  dayStarts: readonly number[],
  measured: HealthOfDays,
  silences: readonly SilenceRow[],
  endMs: number,
): HealthOfDays {
  const wholeEndMs = Math.floor(endMs / HOUR_MS) * HOUR_MS;
  const lastDayMs = dayBefore(wholeEndMs);
  /** Who fell silent in a day, as a number of GPUs and the sum of the moments. */
  const silentIn = (dayMs: number) =>
    silences.filter(([grain, bucketMs]) =>
      dayMs === lastDayMs
        ? grain === GRAIN.hour && dayBefore(bucketMs) === dayMs && bucketMs < wholeEndMs
        : grain === GRAIN.day && bucketMs === dayMs,
    );
  let silentBefore = 0;
  const missingMs = dayStarts.map((dayMs) => {
    const untilMs = Math.min(dayMs + DAY_MS, wholeEndMs);
    if (untilMs <= dayMs) return 0;
    let missing = silentBefore * (untilMs - dayMs);
    for (const [, bucketMs, n, offsetMs] of silentIn(dayMs)) {
      missing += n * (untilMs - bucketMs) - offsetMs;
      silentBefore += n;
    }
    return missing;
  });
  return {
    scoreMs: measured.scoreMs.map((scoreMs, i) => scoreMs + HEALTH_SCORES.missing * (missingMs[i] as number)),
    healthMs: measured.healthMs.map((healthMs, i) => healthMs + (missingMs[i] as number)),
  };
}
