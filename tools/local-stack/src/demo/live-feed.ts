import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoFleet } from './demo-fleet.ts';
import { type DemoSurroundings, openSimulatorPipe, type SimulatorPipe } from './simulator-pipe.ts';

/** Keeps going until it is stopped. */
export interface LiveFeed {
  stop(): Promise<void>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After so long without a fault, the next one is a first one again. */
const SETTLED_AFTER_MS = 60_000;
const STOP_WITHIN_MS = 5_000;

/**
 * Feeds what happens in the fleet from now on. When the simulator or the importer ends, both are started anew, with
 * a growing pause.
 *
 * @param say tells the person at the terminal
 */
export function startLiveFeed(
  fleet: DemoFleet,
  surroundings: DemoSurroundings,
  { liveStates, say }: { liveStates: boolean; say: (line: string) => void },
): LiveFeed {
  const stopping = new AbortController();
  let pipe: SimulatorPipe;
  const keepGoing = async () => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const startedAt = Date.now();
      const since = new Date(startedAt).toISOString();
      const args = ['--since', since, ...(liveStates ? ['--live-states'] : [])];
      pipe = openSimulatorPipe('live', fleet, surroundings, { args });
      const fault = await whoEnded(pipe);
      if (stopping.signal.aborted) return;
      await stopPipe(pipe);
      if (Date.now() - startedAt > SETTLED_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      say(`The live feed broke off: ${fault}. It goes on in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted) return;
    }
  };
  const running = keepGoing();
  return {
    async stop() {
      stopping.abort();
      await stopPipe(pipe);
      await running;
    },
  };
}

async function whoEnded({ simulator, importer }: SimulatorPipe): Promise<string> {
  return Promise.race(
    [simulator, importer].map(
      async (program) => `${program.name} ended with ${await program.ended}, see ${program.logFile}`,
    ),
  );
}

/** The importer ends by itself once its input does, and writes what it has before. */
async function stopPipe({ simulator, importer }: SimulatorPipe): Promise<void> {
  await simulator.stop(STOP_WITHIN_MS);
  await Promise.race([importer.ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
  await importer.stop();
}
