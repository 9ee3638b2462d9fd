/** Merges rows with the same key, which several customers may have, in the order of their first rows. */
export function mergeByKey<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | null,
  merge: (a: Row, b: Row) => Row,
): Row[] {
  return [...Map.groupBy(rows, keyOf).values()].map((ofKey) => ofKey.reduce((a, b) => merge(a, b)));
}
