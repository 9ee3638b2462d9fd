import { LineCounter, parseDocument, isMap, isScalar } from 'yaml';
import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import type { Findings } from './findings.ts';
import type { SourceFile } from './content-folder.ts';
import { tomlLines } from './toml-lines.ts';
import { explainYamlError } from './yaml-errors.ts';

/** Front matter and body of a post. */
export interface FrontMatter {
  /** By lower-case name, because names are case-insensitive in Hugo. */
  values: ReadonlyMap<string, FrontMatterValue>;
  /** UTF-8. As strings, the bodies of a large blog let the heap grow by several times their size. */
  body: Buffer;
  /** Line in the file at which the body starts. */
  bodyLine: number;
}

interface FrontMatterValue {
  value: unknown;
  line: number;
}

const FENCES: Record<string, (text: string, place: Context) => Map<string, FrontMatterValue> | undefined> = {
  '---': readYaml,
  '+++': readTomlValues,
};

interface Context {
  file: string;
  findings: Findings;
}

/**
 * Splits a post into front matter and body. Supports YAML between `---` lines (Jekyll, Hugo) and TOML between `+++` lines
 * (Hugo, Zola).
 *
 * @returns undefined if the front matter is invalid, after adding an error to the findings
 */
export function readFrontMatter({ path, text }: SourceFile, findings: Findings): FrontMatter | undefined {
  const context = { file: path, findings };
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const fence = lines[0]?.trimEnd() ?? '';
  const read = Object.hasOwn(FENCES, fence) ? FENCES[fence] : undefined;
  if (!read) {
    findings.error(
      path,
      1,
      'a post must start with front matter: YAML between --- lines or TOML between +++ lines',
    );
    return undefined;
  }
  const ends = fence === '---' ? ['---', '...'] : [fence];
  const end = lines.findIndex((line, index) => index > 0 && ends.includes(line.trimEnd()));
  if (end < 0) {
    findings.error(path, 1, `the front matter starts with ${fence}, but has no closing ${fence} line`);
    return undefined;
  }
  const values = read(lines.slice(1, end).join('\n'), context);
  return values && { values, body: Buffer.from(lines.slice(end + 1).join('\n')), bodyLine: end + 2 };
}

function readYaml(text: string, { file, findings }: Context): Map<string, FrontMatterValue> | undefined {
  const counter = new LineCounter();
  // The core schema keeps dates as text. The parser limits aliases, which prevents exponential expansion.
  const document = parseDocument(text, { lineCounter: counter, schema: 'core', prettyErrors: false });
  const line = (offset: number) => counter.linePos(offset).line + 1;
  if (document.errors.length > 0) {
    const lines = text.split('\n');
    // One mistake often causes several errors of the parser in the same line.
    const firstByLine = new Map(
      document.errors.map((error) => [line(error.pos[0]), error] as const).reverse(),
    );
    for (const [at, error] of firstByLine)
      findings.error(file, at, `invalid YAML: ${explainYamlError(error, lines[at - 2] ?? '')}`);
    return undefined;
  }
  if (!isMap(document.contents)) {
    findings.error(file, 2, 'the front matter must consist of “name: value” lines');
    return undefined;
  }
  const values = new Map<string, FrontMatterValue>();
  for (const { key, value } of document.contents.items) {
    if (!isScalar(key)) continue;
    const at = key.range ? line(key.range[0]) : 2;
    const isNode = typeof value === 'object' && value !== null && 'toJS' in value;
    try {
      const read = isNode ? (value as { toJS(doc: unknown): unknown }).toJS(document) : value;
      addValue(values, String(key.value), { value: read, line: at }, { file, findings });
    } catch (failure) {
      findings.error(file, at, `invalid YAML: ${explainAliasError(failure)}`);
      return undefined;
    }
  }
  return values;
}

/** `*name` refers to a value marked `&name`. Authors write it by mistake, as in `title: *New* release`. */
function explainAliasError(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : String(failure);
  return /^Unresolved alias/.test(message) ? 'a value that starts with * needs quotes' : message;
}

function readTomlValues(
  text: string,
  { file, findings }: Context,
): Map<string, FrontMatterValue> | undefined {
  try {
    // Zola stores tags and categories in [taxonomies] and custom values in [extra].
    const { taxonomies, extra, ...topLevel } = parseToml(text) as Record<string, unknown>;
    const lineOf = tomlLines(text);
    const valuesOf = (table: unknown, path: string[]) => {
      const values = new Map<string, FrontMatterValue>();
      if (typeof table !== 'object' || table === null || Array.isArray(table)) return values;
      for (const [name, parsed] of Object.entries(table)) {
        const value: unknown = parsed instanceof TomlDate ? parsed.toISOString() : parsed;
        addValue(values, name, { value, line: lineOf([...path, name]) + 1 }, { file, findings });
      }
      return values;
    };
    // Top-level values take precedence over values in the tables.
    return new Map([
      ...valuesOf(extra, ['extra']),
      ...valuesOf(taxonomies, ['taxonomies']),
      ...valuesOf(topLevel, []),
    ]);
  } catch (failure) {
    if (!(failure instanceof TomlError)) throw failure;
    const [reason = ''] = failure.message.split('\n');
    findings.error(file, failure.line + 1, `invalid TOML: ${reason.replace(/^Invalid TOML document: /, '')}`);
    return undefined;
  }
}

function addValue(
  values: Map<string, FrontMatterValue>,
  name: string,
  value: FrontMatterValue,
  { file, findings }: Context,
): void {
  const existing = values.get(name.toLowerCase());
  if (!existing) values.set(name.toLowerCase(), value);
  else
    findings.error(
      file,
      value.line,
      `“${name}” duplicates line ${existing.line}; names are case-insensitive`,
    );
}
