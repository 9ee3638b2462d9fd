import { setTimeout as sleep } from 'node:timers/promises';

const HOUR_MS = 3_600_000;

/** Waits for the next hour where this one ends too soon for a test whose answers change with the hour. */
export async function awayFromTheEndOfAnHour(needsMs = 120_000): Promise<void> {
  const endsInMs = HOUR_MS - (Date.now() % HOUR_MS);
  if (endsInMs < needsMs) await sleep(endsInMs);
}
