/** Longest array that is written on one line, in characters. */
const MAX_INLINE_ARRAY = 60;

/** Formats JSON with an indent of 2. A short array of plain values is on one line. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/\[\n([^[\]{}]*?)\n\s*\]/g, (array, items: string) => {
    const inline = `[${items.trim().replace(/,\n\s+/g, ', ')}]`;
    return inline.length > MAX_INLINE_ARRAY ? array : inline;
  });
}
