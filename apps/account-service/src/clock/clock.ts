import { SECOND_MS } from '@gpu-observatory/domain-types';

/** Source of the current time for every lifetime, so that tests can advance it. */
export abstract class Clock {
  abstract now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Returns the instant the given number of seconds later; negative values subtract. */
export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * SECOND_MS);
}
