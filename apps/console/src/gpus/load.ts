import type { Gpu } from '../data/queries.ts';

/** Mean utilization of a day below which a GPU counts as idle, in percent. */
const IDLE_BELOW_PCT = 5;

/** Returns how busy a GPU was in the last 24 hours. */
export function loadOf({ utilization_pct: percent }: Pick<Gpu, 'utilization_pct'>): string {
  if (percent === null) return 'no data';
  return percent < IDLE_BELOW_PCT ? 'idle' : 'in use';
}
