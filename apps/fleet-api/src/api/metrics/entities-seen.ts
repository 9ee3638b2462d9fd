import { EDGE } from '../../model/metrics/measures.ts';
import type { ThingRow } from './metrics.queries.ts';

/** How many distinct things were seen, each from its first to its last sighting. */
export interface ThingsSeen {
  inWindow: number;
  onDays: number[];
}

/**
 * Those seen in [from, to) are the ones first seen before `to`, without the ones last seen before `from`.
 *
 * @param length the number of the window's days
 */
export function seenOnDays(rows: readonly ThingRow[], kind: number, length: number): ThingsSeen {
  const edge = (wanted: number) => {
    let before = 0;
    const onDays = new Array<number>(length).fill(0);
    for (const [ofKind, ofEdge, ofBefore, days, n] of rows) {
      if (ofKind !== kind || ofEdge !== wanted) continue;
      before += ofBefore;
      days.forEach((day, i) => (onDays[day] = (onDays[day] as number) + (n[i] as number)));
    }
    return { before, onDays };
  };
  const [first, last] = [edge(EDGE.first), edge(EDGE.last)];
  let come = first.before;
  let gone = last.before;
  const onDays = first.onDays.map((n, day) => {
    come += n;
    if (day > 0) gone += last.onDays[day - 1] as number;
    return come - gone;
  });
  return { inWindow: length === 0 ? 0 : come - last.before, onDays };
}
