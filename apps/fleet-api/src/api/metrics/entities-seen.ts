import { EDGE, ENTITY_KINDS, type EntityKind } from '../../model/metrics/counted-entities.ts';
import type { EntityRow } from './metrics.service.ts';

/** The number of distinct entities, each counted from its first to its last observation. */
export interface EntitiesSeen {
  inWindow: number;
  onDays: number[];
}

/**
 * Counts the entities of a kind: those seen in [from, to) are the ones first seen before `to` minus the ones last seen
 * before `from`.
 *
 * @param dayCount number of days in the window
 */
export function entitiesSeen(rows: readonly EntityRow[], kind: EntityKind, dayCount: number): EntitiesSeen {
  const ofKind = rows.filter(([rowKind]) => ENTITY_KINDS[rowKind] === kind);
  const first = edgeCounts(ofKind, EDGE.first, dayCount);
  const last = edgeCounts(ofKind, EDGE.last, dayCount);
  let started = first.before;
  let ended = last.before;
  const onDays = first.onDays.map((n, day) => {
    started += n;
    // An entity is seen on the day of its last observation.
    if (day > 0) ended += last.onDays[day - 1] as number;
    return started - ended;
  });
  return { inWindow: dayCount === 0 ? 0 : started - last.before, onDays };
}

/** Returns the number of entities whose first (or last) observation was before the window, and on each of its days. */
function edgeCounts(rows: readonly EntityRow[], edge: number, dayCount: number) {
  const counts = { before: 0, onDays: new Array<number>(dayCount).fill(0) };
  for (const [, rowEdge, before, days, n] of rows) {
    if (rowEdge !== edge) continue;
    counts.before += before;
    days.forEach((day, i) => (counts.onDays[day] = (counts.onDays[day] as number) + (n[i] as number)));
  }
  return counts;
}
