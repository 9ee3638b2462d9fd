import { DAY_MS } from '@gpu-observatory/domain-types';

/** `grain` of `fleet.alert_counts` and `fleet.entity_counts`. */
export const GRAIN = { month: 0, day: 1, hour: 2 } as const;

/** Returns the start of the UTC day of a time, in ms since the epoch. */
export function dayStart(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}
