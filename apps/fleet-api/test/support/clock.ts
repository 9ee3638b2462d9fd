import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, HOUR_MS } from '@gpu-observatory/domain-types';

/** Waits for the next hour if this one ends soon, for tests whose results depend on the hour. */
export const waitForFullHour = (needsMs = 120_000) => awayFromTheEndOf(HOUR_MS, needsMs);

/** Waits for the next minute if this one ends soon. */
export const waitForFullMinute = (needsMs = 10_000) => awayFromTheEndOf(MINUTE_MS, needsMs);

async function awayFromTheEndOf(spanMs: number, needsMs: number): Promise<void> {
  const endsInMs = spanMs - (Date.now() % spanMs);
  if (endsInMs < needsMs) await sleep(endsInMs);
}
