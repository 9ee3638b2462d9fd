import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '@gpu-observatory/embedded-database';
import { simulateLive, type SimulationOptions } from '@gpu-observatory/fleet-simulator';
import { ProgramError, runToCompletion } from '../processes/run-to-completion.ts';
import { type DemoTarget, fleetImporter } from './fleet-importer.ts';

const RESTART_DELAY_MS = 2_000;

/**
 * Imports live data of the fleet until `signal` fires. Starts again when the importer exits.
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
  while (!signal.aborted) {
    try {
      const input = simulateLive(simulation, { since: await since(), signal });
      await runToCompletion({ ...importer, input }, signal);
    } catch (failure) {
      if (signal.aborted) return;
      const reason =
        failure instanceof ProgramError
          ? `${importer.name} exited with ${failure.ending}`
          : reasonOf(failure);
      print(`The live feed stopped (${reason}). It restarts in ${RESTART_DELAY_MS / 1000} s.`);
    }
    await sleep(RESTART_DELAY_MS, undefined, { signal }).catch(() => {});
  }
}
