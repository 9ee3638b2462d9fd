/** How much there is in a data set. */
export interface Size {
  alerts: number;
  gpus: number;
  /** So many days back from when it was made. */
  days: number;
}

/** The database that holds a data set of this size. */
export function databaseOf({ alerts, gpus, days }: Size): string {
  return `fleet_${alerts}_${gpus}_${days}`;
}
