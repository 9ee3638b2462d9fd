import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';

/**
 * Time of this node, which may differ from that of other nodes. Only the verification of tokens uses it. Everything that is
 * stored and compared by another node uses the time of the database, which the statement itself reads.
 */
export abstract class Clock {
  abstract now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Returns the time of the database, for work whose statements share one instant. */
export async function readDatabaseTime(database: Queryable): Promise<Date> {
  const [row] = await database.query<{ now: Date }>({
    name: 'database-time',
    text: 'SELECT clock_timestamp()::timestamptz(3) AS now',
  });
  return (row as { now: Date }).now;
}

/** Returns the instant the given number of seconds later; negative values subtract. */
export function addSeconds(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * SECOND_MS);
}
