import { setTimeout as sleep } from 'node:timers/promises';
import { Feed } from './feed.ts';
import { resolved, type SimulationOptions } from './options.ts';
import { DAY, HOUR, MINUTE, SECOND } from './time.ts';

export interface LiveOptions {
  /** Only what is newer than this; default the end of the history. */
  since?: Date;
  /** Ends the feed. */
  signal: AbortSignal;
  /** Also changes the state of earlier alerts; without it nothing that was written before is touched. */
  liveStates?: boolean;
  /** Default the real time. */
  clock?: Clock;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Comes back after `milliseconds`, or at once when `signal` fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

const realTime: Clock = {
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
 * What follows the history of the same options, as time passes: samples every 15 s, XIDs, processes, alerts with
 * their timelines, in time order. Time since `since` is made up for first: past an hour at one sample every 5 minutes,
 * and never more than the last 24 h of it. The same holds when the machine slept meanwhile.
 *
 * @throws RangeError when an option is out of its range
 */
export async function* simulateLive(options: SimulationOptions, live: LiveOptions): AsyncGenerator<string> {
  const { signal, liveStates = false, clock = realTime } = live;
  const simulation = resolved(options);
  let done = live.since?.getTime() ?? simulation.now;
  if (Number.isNaN(done)) throw new RangeError('since must be a valid date');
  let toldSince = done;
  const feed = new Feed(simulation, Math.max(done, clock.now() - DAY));

  while (!signal.aborted) {
    const now = clock.now();
    const late = now - done;
    if (late > DAY) toldSince = done = now - DAY;
    const [sampleInterval, step] = late > HOUR ? [5 * MINUTE, HOUR] : [15 * SECOND, MINUTE];
    while (done < now && !signal.aborted) {
      const to = Math.min(now, done + step);
      yield* feed.between(done, to, sampleInterval);
      if (liveStates) yield* feed.stateChanges(done, to, toldSince);
      done = to;
    }
    await clock.wait(SECOND, signal);
  }
}
