import { EDGE } from '../../model/metrics/counted-entities.ts';
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
 * @param length number of days in the window
 */
export function seenOnDays(rows: readonly EntityRow[], kind: number, length: number): EntitiesSeen {
  const countsOf = (edge: number) => {
    let before = 0;
    const onDays = new Array<number>(length).fill(0);
    for (const [rowKind, rowEdge, rowBefore, days, n] of rows) {
      if (rowKind !== kind || rowEdge !== edge) continue;
      before += rowBefore;
      days.forEach((day, i) => (onDays[day] = (onDays[day] as number) + (n[i] as number)));
    }
    return { before, onDays };
  };
  const [first, last] = [countsOf(EDGE.first), countsOf(EDGE.last)];
  let started = first.before;
  let ended = last.before;
  const onDays = first.onDays.map((n, day) => {
    started += n;
    if (day > 0) ended += last.onDays[day - 1] as number;
    return started - ended;
  });
  return { inWindow: length === 0 ? 0 : started - last.before, onDays };
}
