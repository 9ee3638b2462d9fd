import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '@gpu-observatory/embedded-database';
import type { DemoFleet } from './demo-fleet.ts';
import { type DemoContext, openSimulatorPipe, type SimulatorPipe } from './simulator-pipe.ts';

/** Runs until it is stopped. */
export interface LiveFeed {
  stop(): Promise<void>;
}

export interface LiveFeedOptions {
  /** Returns the start of the feed, RFC 3339; the time since then is backfilled. Called at each start of the feed. */
  since(): Promise<string>;
  /** Prints a line to the terminal. */
  print(line: string): void;
}

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** A feed that ran for this time resets the backoff. */
const BACKOFF_RESET_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

/** Imports live data of the fleet. Restarts the simulator and the importer with exponential backoff when one exits. */
export function startLiveFeed(
  fleet: DemoFleet,
  demo: DemoContext,
  { since, print }: LiveFeedOptions,
): LiveFeed {
  const stopping = new AbortController();
  let pipe: SimulatorPipe | undefined;

  const feed = async (): Promise<string> => {
    const from = await since();
    if (stopping.signal.aborted) return 'stopped';
    pipe = openSimulatorPipe('live', fleet, demo, { since: from });
    const reason = await exitReason(pipe);
    await stopPipe(pipe);
    return reason;
  };
  const keepFeeding = async () => {
    let backoffMs = FIRST_BACKOFF_MS;
    for (;;) {
      const startedAt = Date.now();
      const reason = await feed().catch(reasonOf);
      if (stopping.signal.aborted) return;
      if (Date.now() - startedAt > BACKOFF_RESET_MS) backoffMs = FIRST_BACKOFF_MS;
      print(`The live feed stopped (${reason}). It restarts in ${backoffMs / 1000} s.`);
      await sleep(backoffMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
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

/**
 * Waits until the simulator or the importer exits. The importer exits with code 0 only after the end of its input, so then
 * the simulator exited first.
 */
async function exitReason({ simulator, importer }: SimulatorPipe): Promise<string> {
  const first = await Promise.race(
    [simulator, importer].map(async (program) => ({ program, ending: await program.ended })),
  );
  const program = first.program === importer && first.ending === 'code 0' ? simulator : first.program;
  return `${program.name} exited with ${await program.ended}, see ${program.logFile}`;
}

/** Stops the simulator first: the importer then writes its last records and exits by itself. */
async function stopPipe({ simulator, importer }: SimulatorPipe): Promise<void> {
  await simulator.stop(STOP_TIMEOUT_MS);
  await Promise.race([importer.ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
  await importer.stop();
}
