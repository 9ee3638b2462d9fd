import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';
import { HEALTH_SCORES } from '../../model/metrics/measures.ts';
import { dayStart, GRAIN } from '../../model/metrics/time-grains.ts';
import type { MissingRow } from './metrics.service.ts';

/** For each day, the GPU time with a known health, and this time weighted by the score of the health. */
export interface HealthOfDays {
  scoreMs: number[];
  healthMs: number[];
}

/**
 * Adds the time of GPUs that went missing in the window and did not report again, up to the end of the window or of the
 * data. The rollups contain only the time between two reports.
 *
 * @param endMs end of the window or of the data; rounded down to a whole hour
 */
export function healthOfDays(
  dayStarts: readonly number[],
  measured: HealthOfDays,
  missing: readonly MissingRow[],
  endMs: number,
): HealthOfDays {
  const endHourMs = Math.floor(endMs / HOUR_MS) * HOUR_MS;
  const lastDayMs = dayStart(endHourMs);
  const wentMissingOn = (dayMs: number) =>
    missing.filter(([grain, bucketMs]) =>
      dayMs === lastDayMs
        ? grain === GRAIN.hour && dayStart(bucketMs) === dayMs && bucketMs < endHourMs
        : grain === GRAIN.day && bucketMs === dayMs,
    );
  let missingGpus = 0;
  const missingByDay = dayStarts.map((dayMs) => {
    const untilMs = Math.min(dayMs + DAY_MS, endHourMs);
    if (untilMs <= dayMs) return 0;
    let missingMs = missingGpus * (untilMs - dayMs);
    for (const [, bucketMs, n, offsetMs] of wentMissingOn(dayMs)) {
      missingMs += n * (untilMs - bucketMs) - offsetMs;
      missingGpus += n;
    }
    return missingMs;
  });
  return {
    scoreMs: measured.scoreMs.map(
      (scoreMs, i) => scoreMs + HEALTH_SCORES.missing * (missingByDay[i] as number),
    ),
    healthMs: measured.healthMs.map((healthMs, i) => healthMs + (missingByDay[i] as number)),
  };
}
