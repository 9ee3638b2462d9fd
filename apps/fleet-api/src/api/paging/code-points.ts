/** Compares texts as the collation "C" does; `<` compares UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
