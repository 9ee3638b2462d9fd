import { EDGE, ENTITY_KINDS, type EntityKind } from '../../model/metrics/counted-entities.ts';
import type { EntityRow } from './metrics.statements.ts';

/** Number of distinct entities. An entity counts from its first to its last observation. */
export interface EntitiesSeen {
  inWindow: number;
  /** One number per day of the window. */
  onDays: number[];
}

/**
 * Counts the entities of a kind. The number seen in [from, to) is the number first seen before `to` minus the number last seen before
 * `from`.
 *
 * @param dayCount number of days in the window
 */
export function entitiesSeen(rows: readonly EntityRow[], kind: EntityKind, dayCount: number): EntitiesSeen {
  const rowsOfKind = rows.filter(([rowKind]) => ENTITY_KINDS[rowKind] === kind);
  const first = edgeCounts(rowsOfKind, EDGE.first, dayCount);
  const last = edgeCounts(rowsOfKind, EDGE.last, dayCount);
  let started = first.before;
  let ended = last.before;
  const onDays = first.onDays.map((n, day) => {
    started += n;
    // On the day of its last observation, an entity still counts.
    if (day > 0) ended += last.onDays[day - 1] as number;
    return started - ended;
  });
  return { inWindow: dayCount === 0 ? 0 : started - last.before, onDays };
}

/** Returns the number of entities whose edge (first or last observation) was before the window, and on each of its days. */
function edgeCounts(rows: readonly EntityRow[], edge: number, dayCount: number) {
  const counts = { before: 0, onDays: new Array<number>(dayCount).fill(0) };
  for (const [, rowEdge, before, days, n] of rows) {
    if (rowEdge !== edge) continue;
    counts.before += before;
    days.forEach((day, i) => (counts.onDays[day] = (counts.onDays[day] as number) + (n[i] as number)));
  }
  return counts;
}
