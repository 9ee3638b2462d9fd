import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';

interface Value {
  path: string;
  /** As JSON or text, empty for an empty text. */
  default: string;
  description: string;
}

interface Row {
  /** Top-level keys of the parts that have the value, empty for a value of the release. */
  parts: string[];
  path: string;
  defaults: string[];
  description: string;
}

/** Top-level keys with the settings of one service each, most of which are the same. */
const SERVICES = ['fleetApi', 'accountService', 'websiteApi', 'console'];
/** Top-level keys with the settings of other pods. */
const OTHER_PODS = ['collectors', 'demo', 'migrations', 'operations', 'contracts'];
/** Longest description and default in the table. `helm show values` prints all. */
const LONGEST_DESCRIPTION = 70;
const LONGEST_DEFAULT = 50;

/**
 * Formats a values.yaml as a markdown table: each value with its default and the comment above it, or above the map that
 * contains it. Values that several parts have with the same description are one row: `fleetApi,console.replicas`.
 */
export function valuesTable(yaml: string): string {
  const rows: Row[] = [];
  for (const value of valuesOf(yaml)) {
    const [first = '', ...rest] = value.path.split('.');
    const isOfPart = [...SERVICES, ...OTHER_PODS].includes(first) && rest.length > 0;
    const path = isOfPart ? rest.join('.') : value.path;
    const same = rows.find(
      (row) => isOfPart && row.parts.length > 0 && row.path === path && row.description === value.description,
    );
    if (same) {
      same.parts.push(first);
      same.defaults.push(value.default);
    } else {
      const parts = isOfPart ? [first] : [];
      rows.push({ parts, path, defaults: [value.default], description: value.description });
    }
  }
  return ['| Value | Default | Description |', '| --- | --- | --- |', ...rows.map(lineOf)].join('\n');
}

/** Lists the values of a values.yaml: its scalars, lists, and maps that are empty or in one line. */
export function valuesOf(yaml: string): Value[] {
  return valuesIn(parseDocument(yaml).contents as YAMLMap, '');
}

function lineOf({ parts, path, defaults, description }: Row): string {
  const hasAllServices = SERVICES.every((service) => parts.includes(service));
  const shownParts = hasAllServices ? ['*', ...parts.filter((part) => !SERVICES.includes(part))] : parts;
  const prefix = shownParts.join(',');
  const [first = ''] = defaults;
  const isSame = defaults.every((value) => value === first) && first.length <= LONGEST_DEFAULT;
  const shown = isSame ? (first === '' ? '' : `\`${first}\``) : 'see `values.yaml`';
  const cell = shortened(description).replaceAll('|', '\\|');
  return `| \`${prefix === '' ? path : `${prefix}.${path}`}\` | ${shown} | ${cell} |`;
}

/** Returns as many sentences as fit in a cell, or the start of the first. */
function shortened(description: string): string {
  const sentences = description.match(/.+?(?:[.:…](?= [A-Z])|$)\s*/g) ?? [description];
  let text = sentences[0] ?? '';
  if (text.length > LONGEST_DESCRIPTION)
    return `${text.slice(0, LONGEST_DESCRIPTION - 2).replace(/[,:;]? \S*$/, '')} …`;
  for (const sentence of sentences.slice(1)) {
    if ((text + sentence).trimEnd().length > LONGEST_DESCRIPTION) break;
    text += sentence;
  }
  return text.trimEnd();
}

function valuesIn(map: YAMLMap, prefix: string): Value[] {
  return map.items.flatMap((pair, index) => {
    const path = `${prefix}${String(pair.key)}`;
    const description = commentOf(map, pair, index);
    const value: unknown = pair.value;
    if (!isMap(value) || value.items.length === 0 || value.flow === true) {
      return { path, default: defaultOf(value), description };
    }
    const values = valuesIn(value, `${path}.`);
    // The table has no row for a map, so its comment goes to the first value, unless both do not fit.
    const [first, ...rest] = values;
    if (!first || !description) return values;
    const both = [description, first.description].filter(Boolean).join(' ');
    const isLong = first.description !== '' && both.length > LONGEST_DESCRIPTION;
    return [{ ...first, description: isLong ? first.description : both }, ...rest];
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
  return typeof plain === 'string' ? plain : JSON.stringify(plain);
}
