import { LineCounter, parseDocument, isMap, isScalar } from 'yaml';
import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import type { Findings } from './findings.ts';
import type { SourceFile } from './content-folder.ts';
import { tomlLines } from './toml-lines.ts';

/** The head of a post and what follows it. */
export interface FrontMatter {
  /** By name in lower case: Hugo takes `Title` for `title`. */
  values: ReadonlyMap<string, FrontMatterValue>;
  body: string;
  /** The line of the file at which the body begins. */
  bodyLine: number;
}

export interface FrontMatterValue {
  value: unknown;
  line: number;
}

const FENCES: Record<string, (text: string, place: Place) => Map<string, FrontMatterValue> | undefined> = {
  '---': readYaml,
  '+++': readTomlValues,
};

interface Place {
  file: string;
  findings: Findings;
}

/**
 * Splits a post into its head and body. YAML between `---` lines (Jekyll, Hugo and most others) and TOML between `+++`
 * lines (Hugo, Zola).
 *
 * @returns undefined when the head cannot be read; the findings say where and why
 */
export function readFrontMatter({ path, text }: SourceFile, findings: Findings): FrontMatter | undefined {
  const place = { file: path, findings };
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const fence = lines[0]?.trimEnd() ?? '';
  const read = Object.hasOwn(FENCES, fence) ? FENCES[fence] : undefined;
  if (!read) {
    findings.fault(
      path,
      1,
      'a post begins with front matter: YAML between --- lines or TOML between +++ lines',
    );
    return undefined;
  }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === fence);
  if (end < 0) {
    findings.fault(
      path,
      1,
      `the front matter that begins with ${fence} is never closed by another ${fence} line`,
    );
    return undefined;
  }
  const values = read(lines.slice(1, end).join('\n'), place);
  return values && { values, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}

function readYaml(text: string, { file, findings }: Place): Map<string, FrontMatterValue> | undefined {
  const counter = new LineCounter();
  // Dates stay text, so that they are read by one rule whatever the dialect; aliases are counted against bombs.
  const document = parseDocument(text, { lineCounter: counter, schema: 'core', prettyErrors: false });
  const line = (offset: number) => counter.linePos(offset).line + 1;
  for (const error of document.errors)
    findings.fault(file, line(error.pos[0]), `not valid YAML: ${error.message}`);
  if (document.errors.length > 0) return undefined;
  if (!isMap(document.contents)) {
    findings.fault(file, 2, 'the front matter should be a list of “name: value” lines');
    return undefined;
  }
  const values = new Map<string, FrontMatterValue>();
  try {
    for (const { key, value } of document.contents.items) {
      if (!isScalar(key)) continue;
      const at = key.range ? line(key.range[0]) : 2;
      const isNode = typeof value === 'object' && value !== null && 'toJS' in value;
      const read = isNode ? (value as { toJS(doc: unknown): unknown }).toJS(document) : value;
      addValue(values, String(key.value), { value: read, line: at }, { file, findings });
    }
  } catch (failure) {
    findings.fault(
      file,
      2,
      `not usable YAML: ${failure instanceof Error ? failure.message : String(failure)}`,
    );
    return undefined;
  }
  return values;
}

function readTomlValues(text: string, { file, findings }: Place): Map<string, FrontMatterValue> | undefined {
  try {
    // Zola keeps tags and categories in a table of their own, and whatever is the author's in another.
    const { taxonomies, extra, ...own } = parseToml(text) as Record<string, unknown>;
    const lineOf = tomlLines(text);
    const valuesOf = (table: unknown, path: string[]) => {
      const values = new Map<string, FrontMatterValue>();
      if (typeof table !== 'object' || table === null || Array.isArray(table)) return values;
      for (const [name, written] of Object.entries(table)) {
        const value: unknown = written instanceof TomlDate ? written.toISOString() : written;
        addValue(values, name, { value, line: lineOf([...path, name]) + 1 }, { file, findings });
      }
      return values;
    };
    // The post's own names count before those of the tables.
    return new Map([
      ...valuesOf(extra, ['extra']),
      ...valuesOf(taxonomies, ['taxonomies']),
      ...valuesOf(own, []),
    ]);
  } catch (failure) {
    if (!(failure instanceof TomlError)) throw failure;
    const [reason = ''] = failure.message.split('\n');
    findings.fault(
      file,
      failure.line + 1,
      `not valid TOML: ${reason.replace(/^Invalid TOML document: /, '')}`,
    );
    return undefined;
  }
}

function addValue(
  values: Map<string, FrontMatterValue>,
  name: string,
  value: FrontMatterValue,
  { file, findings }: Place,
): void {
  const known = values.get(name.toLowerCase());
  if (!known) values.set(name.toLowerCase(), value);
  else
    findings.fault(
      file,
      value.line,
      `“${name}” is given on line ${known.line} already, in whatever case: keep one of the two`,
    );
}
