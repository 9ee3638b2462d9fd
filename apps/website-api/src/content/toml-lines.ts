const KEY = String.raw`(?:"[^"]*"|'[^']*'|[\w-]+)`;
const PATH = String.raw`${KEY}(?:\s*\.\s*${KEY})*`;
const TABLE = new RegExp(String.raw`^\s*\[\[?\s*(${PATH})\s*\]\]?\s*(?:#.*)?$`);
const ENTRY = new RegExp(String.raw`^\s*(${PATH})\s*=`);
/** Multi-line strings, whose content may look like keys. */
const LONG_STRINGS = /("""|''')[\s\S]*?\1/g;

/** Returns a function that maps the path of a TOML key (tables, then name) to its line, from 1. */
export function tomlLines(text: string): (path: string[]) => number {
  const entries: { path: string[]; line: number }[] = [];
  let table: string[] = [];
  const lines = text.replace(LONG_STRINGS, (string) => string.replace(/[^\n]/g, '')).split('\n');
  for (const [index, line] of lines.entries()) {
    const header = TABLE.exec(line)?.[1];
    const key = ENTRY.exec(line)?.[1];
    if (header !== undefined) table = partsOf(header);
    if (header !== undefined) entries.push({ path: table, line: index + 1 });
    else if (key !== undefined) entries.push({ path: [...table, ...partsOf(key)], line: index + 1 });
  }
  // A key of an inline table has the line of the table.
  const lineOf = (path: string[]): number =>
    entries.find((entry) => path.every((part, index) => entry.path[index] === part))?.line ??
    lineOf(path.slice(0, -1));
  return (path) => (entries.length === 0 ? 1 : lineOf(path));
}

const partsOf = (path: string): string[] =>
  (path.match(new RegExp(KEY, 'g')) ?? []).map((part) => part.replace(/^["']|["']$/g, ''));
