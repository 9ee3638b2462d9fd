import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '@gpu-observatory/embedded-database';
import { simulateLive, type SimulationOptions } from '@gpu-observatory/fleet-simulator';
import { ProgramError, runToCompletion } from '../processes/run-to-completion.ts';
import { type DemoTarget, fleetImporter } from './fleet-importer.ts';

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** A feed that ran for this time resets the backoff. */
const BACKOFF_RESET_MS = 60_000;

/**
 * Imports live data of the fleet until `signal` fires. Starts again with exponential backoff when the importer exits.
 *
 * @param since returns the start of the feed; the time since then is backfilled. Called at each start of the feed
 * @param print prints a line to the terminal
 */
export async function feedLiveData(
  simulation: SimulationOptions,
  target: DemoTarget,
  { since, print }: { since(): Promise<Date>; print(line: string): void },
  signal: AbortSignal,
): Promise<void> {
  const importer = fleetImporter('live', target);
  /** Imports until the importer exits or `signal` fires. Returns why it ended. */
  const feed = async (): Promise<string> => {
    try {
      const input = simulateLive(simulation, { since: await since(), signal });
      await runToCompletion({ ...importer, input }, signal);
      return `${importer.name} exited`;
    } catch (failure) {
      if (!(failure instanceof ProgramError)) return reasonOf(failure);
      return `${importer.name} exited with ${failure.ending}, see ${failure.logFile}`;
    }
  };
  let backoffMs = FIRST_BACKOFF_MS;
  for (;;) {
    const startedAt = Date.now();
    const reason = await feed();
    if (signal.aborted) return;
    if (Date.now() - startedAt > BACKOFF_RESET_MS) backoffMs = FIRST_BACKOFF_MS;
    print(`The live feed stopped (${reason}). It restarts in ${backoffMs / 1000} s.`);
    await sleep(backoffMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
  }
}
