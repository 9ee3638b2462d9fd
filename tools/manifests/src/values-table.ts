import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

interface Row {
  path: string;
  defaultValue: string;
  description: string;
}

/**
 * Formats a values.yaml as a markdown table: each value with its default and the comment above it, or above the map that
 * contains it.
 */
export function valuesTable(yaml: string): string {
  const rows = rowsOf(parseDocument(yaml).contents as YAMLMap, '');
  const line = ({ path, defaultValue, description }: Row) =>
    `| \`${path}\` | ${defaultValue} | ${description.replaceAll('|', '\\|')} |`;
  return ['| Value | Default | Description |', '| --- | --- | --- |', ...rows.map(line)].join('\n');
}

function rowsOf(map: YAMLMap, prefix: string): Row[] {
  return map.items.flatMap((pair, index) => {
    const path = `${prefix}${String(pair.key)}`;
    const description = commentOf(map, pair, index);
    const value: unknown = pair.value;
    if (!isMap(value) || value.items.length === 0 || value.flow === true) {
      return { path, defaultValue: defaultOf(value), description };
    }
    const rows = rowsOf(value, `${path}.`);
    // The table has no row for a map, so its comment goes to the first value.
    const [first, ...rest] = rows;
    return first && description
      ? [{ ...first, description: [description, first.description].filter(Boolean).join(' ') }, ...rest]
      : rows;
  });
}

/** Returns the comment directly above. The parser assigns the first key's comment to the map; headings are skipped. */
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
