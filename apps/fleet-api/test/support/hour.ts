import { setTimeout as sleep } from 'node:timers/promises';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits for the next hour where this one ends too soon for a test whose answers change with the hour. */
export const awayFromTheEndOfAnHour = (needsMs = 120_000) => awayFromTheEndOf(HOUR_MS, needsMs);

/** The same for answers that change with the minute. */
export const awayFromTheEndOfAMinute = (needsMs = 10_000) => awayFromTheEndOf(MINUTE_MS, needsMs);

async function awayFromTheEndOf(spanMs: number, needsMs: number): Promise<void> {
  const endsInMs = spanMs - (Date.now() % spanMs);
  if (endsInMs < needsMs) await sleep(endsInMs);
}
