import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';
import { HEALTH_SCORES } from '../../model/metrics/measures.ts';
import { dayStart, GRAIN } from '../../model/metrics/time-grains.ts';
import type { MissingRow } from './metrics.statements.ts';

/** For each day, the GPU time with a known health, and this time weighted by the score of the health. */
interface HealthOfDays {
  scoreMs: number[];
  healthMs: number[];
}

/**
 * Returns the measured health with the time of GPUs that went missing in the window and did not report again. The rollups contain only
 * the time between two reports, so the time from the last report to the end of the window or of the data is added.
 *
 * @param endMs end of the window or of the data; it is rounded down to a whole hour
 */
export function healthOfDays(
  dayStarts: readonly number[],
  measured: HealthOfDays,
  missing: readonly MissingRow[],
  endMs: number,
): HealthOfDays {
  const missingMs = missingTimeOfDays(dayStarts, missing, Math.floor(endMs / HOUR_MS) * HOUR_MS);
  return {
    scoreMs: measured.scoreMs.map((ms, day) => ms + HEALTH_SCORES.missing * (missingMs[day] as number)),
    healthMs: measured.healthMs.map((ms, day) => ms + (missingMs[day] as number)),
  };
}

/** Returns for each day the sum of the times in which GPUs were missing, in ms. @param endMs a whole hour */
function missingTimeOfDays(
  dayStarts: readonly number[],
  missing: readonly MissingRow[],
  endMs: number,
): number[] {
  // The last day may end early. Its GPUs are counted by hour, so that only those that went missing before its end count.
  const lastDayMs = dayStart(endMs);
  const wentMissingOn = (dayMs: number) =>
    missing.filter(([grain, bucketMs]) =>
      dayMs === lastDayMs
        ? grain === GRAIN.hour && dayStart(bucketMs) === dayMs && bucketMs < endMs
        : grain === GRAIN.day && bucketMs === dayMs,
    );
  let missingGpus = 0;
  return dayStarts.map((dayMs) => {
    const untilMs = Math.min(dayMs + DAY_MS, endMs);
    if (untilMs <= dayMs) return 0;
    let missingMs = missingGpus * (untilMs - dayMs);
    for (const [, bucketMs, n, offsetMs] of wentMissingOn(dayMs)) {
      missingMs += n * (untilMs - bucketMs) - offsetMs;
      missingGpus += n;
    }
    return missingMs;
  });
}
