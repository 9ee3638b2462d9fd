/** Merges rows with the same key, which several customers may have, in the order of their first rows. */
export function mergeByKey<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | null,
  merge: (a: Row, b: Row) => Row,
): Row[] {
  return [...Map.groupBy(rows, keyOf).values()].map((ofKey) => ofKey.reduce((a, b) => merge(a, b)));
}

/** Adds up the numbers of each name, the largest first. */
export function sumByName<Name extends string>(entries: readonly (readonly [Name, number])[]) {
  const sums = new Map<Name, number>();
  for (const [name, n] of entries) sums.set(name, (sums.get(name) ?? 0) + n);
  return [...sums].sort(([nameA, a], [nameB, b]) => b - a || (nameA < nameB ? -1 : 1));
}
