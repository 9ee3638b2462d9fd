/** Adds up rows with the same key, which several customers may have, in the order of their first rows. */
export function addedByKey<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | null,
  add: (a: Row, b: Row) => Row,
): Row[] {
  return [...Map.groupBy(rows, keyOf).values()].map((ofKey) => ofKey.reduce((a, b) => add(a, b)));
}
