import { compareCodePoints } from './paging/code-points.ts';

/** Merges rows of several customers with the same key. The order is that of the first row of each key. */
export function mergeByKey<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | null,
  merge: (a: Row, b: Row) => Row,
): Row[] {
  return [...Map.groupBy(rows, keyOf).values()].map((group) => group.reduce((a, b) => merge(a, b)));
}

/** Returns the sum of the numbers of each name, largest first. */
export function sumByName<Name extends string>(entries: readonly (readonly [Name, number])[]) {
  const sums = new Map<Name, number>();
  for (const [name, n] of entries) sums.set(name, (sums.get(name) ?? 0) + n);
  return [...sums].sort(([nameA, a], [nameB, b]) => b - a || compareCodePoints(nameA, nameB));
}
