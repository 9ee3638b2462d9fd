import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

interface Row {
  path: string;
  byDefault: string;
  means: string;
}

/**
 * The values of a chart as a markdown table, from its values.yaml: each value with its default and the comment above it,
 * or above the map that it is in.
 */
export function valuesTable(yaml: string): string {
  const rows = rowsOf(parseDocument(yaml).contents as YAMLMap, '');
  const line = ({ path, byDefault, means }: Row) =>
    `| \`${path}\` | ${byDefault} | ${means.replaceAll('|', '\\|')} |`;
  return ['| Value | Default | Description |', '| --- | --- | --- |', ...rows.map(line)].join('\n');
}

function rowsOf(map: YAMLMap, prefix: string): Row[] {
  return map.items.flatMap((pair, index) => {
    const path = `${prefix}${String(pair.key)}`;
    const means = commentOf(map, pair, index);
    const value: unknown = pair.value;
    if (!isMap(value) || value.items.length === 0 || value.flow === true) {
      return { path, byDefault: defaultOf(value), means };
    }
    const rows = rowsOf(value, `${path}.`);
    // What is said of a map is said of its first value, which is the only place left in a table.
    const [first, ...rest] = rows;
    return first && means
      ? [{ ...first, means: [means, first.means].filter(Boolean).join(' ') }, ...rest]
      : rows;
  });
}

/** The comment right above: the parser gives the first key's to the map, and headings belong to nobody. */
function commentOf(map: YAMLMap, pair: Pair, index: number): string {
  const key = pair.key as { commentBefore?: string | null };
  const comment = (index === 0 ? map.commentBefore : undefined) ?? key.commentBefore ?? '';
  const [last = ''] = comment.split(/\n\s*\n/).slice(-1);
  const lines = last.split('\n').filter((line) => !line.includes('──'));
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

function defaultOf(value: unknown): string {
  const plain: unknown = isScalar(value) ? value.value : (value as { toJSON(): unknown }).toJSON();
  if (plain === '') return '';
  return `\`${typeof plain === 'string' ? plain : JSON.stringify(plain)}\``;
}
