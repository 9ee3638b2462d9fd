import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { setTimeout as sleep } from 'node:timers/promises';
import { feedOf } from './feed.ts';
import { resolveOptions, type SimulationOptions } from './options.ts';

export interface LiveOptions {
  /** Start of the feed, exclusive. Default: the end of the history. */
  since?: Date;
  /** Stops the feed. */
  signal: AbortSignal;
  /** Default: the system clock. */
  clock?: Clock;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `milliseconds`, or at once when `signal` fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const systemClock: Clock = {
  now: () => Date.now(),
  wait: async (milliseconds, signal) => {
    try {
      await sleep(milliseconds, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  },
};

/**
 * Generates the live feed that continues the history of the same options: samples every 15 s, XIDs, processes and alerts
 * with their timelines, in time order. First it backfills the time since `since`, at most the last 24 h. A gap of more
 * than an hour gets a sample every 5 minutes. A gap while the machine slept is backfilled in the same way.
 *
 * @throws RangeError when an option is out of range
 */
export async function* simulateLive(options: SimulationOptions, live: LiveOptions): AsyncGenerator<string> {
  const { signal, clock = systemClock } = live;
  const simulation = resolveOptions(options);
  let writtenUntil = live.since?.getTime() ?? simulation.now;
  if (Number.isNaN(writtenUntil)) throw new RangeError('since must be a valid date');
  const feed = feedOf(simulation, Math.max(writtenUntil, clock.now() - DAY_MS));

  while (!signal.aborted) {
    const now = clock.now();
    const late = now - writtenUntil;
    if (late > DAY_MS) writtenUntil = now - DAY_MS;
    const [sampleInterval, step] = late > HOUR_MS ? [5 * MINUTE_MS, HOUR_MS] : [15 * SECOND_MS, MINUTE_MS];
    while (writtenUntil < now && !signal.aborted) {
      const to = Math.min(now, writtenUntil + step);
      yield* feed(writtenUntil, to, sampleInterval);
      writtenUntil = to;
    }
    await clock.wait(SECOND_MS, signal);
  }
}
