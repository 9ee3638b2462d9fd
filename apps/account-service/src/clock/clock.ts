import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { Queryable } from '@gpu-observatory/service-runtime/process';

/** Source of the current time for every lifetime, so that tests can advance it. */
export abstract class Clock {
  /** Time of this node, which may differ from that of other nodes. Only the verification of tokens uses it. */
  abstract now(): Date;

  /**
   * Time of the database, the same for all nodes. Everything that is stored and compared by another node uses it.
   */
  abstract databaseNow(database: Queryable): Promise<Date>;
}

export const systemClock: Clock = { now: () => new Date(), databaseNow: readDatabaseTime };

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
