const KEY = String.raw`(?:"[^"]*"|'[^']*'|[\w-]+)`;
const PATH = String.raw`${KEY}(?:\s*\.\s*${KEY})*`;
const TABLE = new RegExp(String.raw`^\s*\[\[?\s*(${PATH})\s*\]\]?\s*(?:#.*)?$`);
const ENTRY = new RegExp(String.raw`^\s*(${PATH})\s*=`);
/** What stands in them may look like keys. */
const LONG_STRINGS = /("""|''')[\s\S]*?\1/g;

/** Tells where a TOML document has a key, from 1, by the tables around the key and its name. */
export function tomlLines(text: string): (path: string[]) => number {
  const places: { path: string[]; line: number }[] = [];
  let table: string[] = [];
  const lines = text.replace(LONG_STRINGS, (string) => string.replace(/[^\n]/g, '')).split('\n');
  for (const [index, line] of lines.entries()) {
    const header = TABLE.exec(line)?.[1];
    const key = ENTRY.exec(line)?.[1];
    if (header !== undefined) table = partsOf(header);
    if (header !== undefined) places.push({ path: table, line: index + 1 });
    else if (key !== undefined) places.push({ path: [...table, ...partsOf(key)], line: index + 1 });
  }
  // A key of a table that is written in one line stands where the table does.
  const lineOf = (path: string[]): number =>
    places.find((place) => path.every((part, index) => place.path[index] === part))?.line ??
    lineOf(path.slice(0, -1));
  return (path) => (places.length === 0 ? 1 : lineOf(path));
}

const partsOf = (path: string): string[] =>
  (path.match(new RegExp(KEY, 'g')) ?? []).map((part) => part.replace(/^["']|["']$/g, ''));
