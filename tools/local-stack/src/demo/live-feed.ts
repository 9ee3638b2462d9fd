import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '@gpu-observatory/embedded-database';
import { simulateLive, type SimulationOptions, writeLines } from '@gpu-observatory/fleet-simulator';
import { ChildProgram } from '../processes/child-program.ts';
import { type DemoTarget, fleetImporter } from './fleet-importer.ts';

/** Runs until it is stopped. */
export interface LiveFeed {
  stop(): Promise<void>;
}

export interface LiveFeedOptions {
  /** Returns the start of the feed; the time since then is backfilled. Called at each start of the feed. */
  since(): Promise<Date>;
  /** Prints a line to the terminal. */
  print(line: string): void;
}

const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** A feed that ran for this time resets the backoff. */
const BACKOFF_RESET_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

/** Imports live data of the fleet. Starts again with exponential backoff when the importer exits. */
export function startLiveFeed(
  simulation: SimulationOptions,
  target: DemoTarget,
  { since, print }: LiveFeedOptions,
): LiveFeed {
  const stopping = new AbortController();

  /** Imports until the importer exits or the feed is stopped. Returns why it ended. */
  const feed = async (): Promise<string> => {
    const from = await since();
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping.signal, ended.signal]);
    if (signal.aborted) return 'stopped';
    const importer = new ChildProgram({ ...fleetImporter('live', target), stdin: 'pipe' });
    void importer.ended.then(() => ended.abort());
    // An importer that has stopped reading blocks the writer, which then does not see the signal.
    const stopLater = () => setTimeout(() => void importer.stop(), STOP_TIMEOUT_MS).unref();
    stopping.signal.addEventListener('abort', stopLater, { once: true });
    try {
      await writeLines(simulateLive(simulation, { since: from, signal }), importer.stdin, signal);
      // At the end of its input, the importer writes its last records and exits by itself.
      await Promise.race([importer.ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    } finally {
      stopping.signal.removeEventListener('abort', stopLater);
      await importer.stop();
    }
    return `${importer.name} exited with ${await importer.ended}, see ${importer.logFile}`;
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
      await feeding;
    },
  };
}
