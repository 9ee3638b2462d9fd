import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '../failures.ts';
import type { DemoFleet } from './demo-fleet.ts';
import { type DemoSurroundings, openSimulatorPipe, type SimulatorPipe } from './simulator-pipe.ts';

/** Keeps going until it is stopped. */
export interface LiveFeed {
  stop(): Promise<void>;
}

export interface LiveFeedOptions {
  /** From where on, RFC 3339: what happened since is made up for first. Asked again each time the feed begins. */
  since(): Promise<string>;
  /** Change the state of existing alerts too. */
  liveStates: boolean;
  /** Tells the person at the terminal. */
  say(line: string): void;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After so long without a fault, the next one is a first one again. */
const SETTLED_AFTER_MS = 60_000;
const STOP_WITHIN_MS = 5_000;

/**
 * Feeds what happens in the fleet from now on. When the simulator or the importer ends, both are started anew, with
 * a growing pause.
 */
export function startLiveFeed(
  fleet: DemoFleet,
  surroundings: DemoSurroundings,
  { since, liveStates, say }: LiveFeedOptions,
): LiveFeed {
  const stopping = new AbortController();
  let pipe: SimulatorPipe | undefined;

  const feed = async (): Promise<string> => {
    const from = await since();
    if (stopping.signal.aborted) return 'it was stopped';
    const args = ['--since', from, ...(liveStates ? ['--live-states'] : [])];
    pipe = openSimulatorPipe('live', fleet, surroundings, { args });
    const fault = await whoEnded(pipe);
    await stopPipe(pipe);
    return fault;
  };
  const keepFeeding = async () => {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const startedAt = Date.now();
      const fault = await feed().catch(reasonOf);
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > SETTLED_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      say(`The live feed broke off (${fault}); it goes on in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  };
  const feeding = keepFeeding();
  return {
    async stop() {
      stopping.abort();
      if (pipe) await stopPipe(pipe);
      await feeding;
    },
  };
}

/** The importer ends well only when its input ends: then it was the simulator, however late that is heard. */
async function whoEnded({ simulator, importer }: SimulatorPipe): Promise<string> {
  const first = await Promise.race(
    [simulator, importer].map(async (program) => ({ program, how: await program.ended })),
  );
  const program = first.program === importer && first.how === 'code 0' ? simulator : first.program;
  return `${program.name} ended with ${await program.ended}, see ${program.logFile}`;
}

/** The importer ends by itself once its input does, and writes what it has before. */
async function stopPipe({ simulator, importer }: SimulatorPipe): Promise<void> {
  await simulator.stop(STOP_WITHIN_MS);
  await Promise.race([importer.ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
  await importer.stop();
}
