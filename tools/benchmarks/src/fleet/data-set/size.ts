/** Size of a data set. */
export interface Size {
  alerts: number;
  gpus: number;
  /** Days before the creation of the data set. */
  days: number;
}

/** Returns the name of the database with a data set of this size. */
export function databaseOf({ alerts, gpus, days }: Size): string {
  return `fleet_${alerts}_${gpus}_${days}`;
}
