import type { Gpu } from '../data/queries.ts';

/** Mean utilization of the window below which a GPU counts as idle, in percent. */
const IDLE_BELOW_PCT = 5;

/** Returns how busy a GPU was in the window of its row. */
export function loadOf({ utilization_pct: percent }: Pick<Gpu, 'utilization_pct'>): string {
  if (percent === null) return 'no data';
  return percent < IDLE_BELOW_PCT ? 'idle' : 'in use';
}
