/** Lines with the same labels share one object. */
export type Labels = Readonly<Record<string, string | undefined>>;

/** One sample line of the Prometheus text format. */
export interface PrometheusSample {
  name: string;
  labels: Labels;
  value: number;
  /** Timestamp of the line in ms since the epoch, or null. */
  timestampMs: number | null;
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*[ \t]*/y;
// No repetition below can match the character that follows it, so no line causes catastrophic backtracking.
const LABEL = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*(,?)/y;
const CLOSE = /\s*\}/y;
/** Value, timestamp, and the exemplar that OpenMetrics allows after them. */
const REST = /[ \t]*([^ \t]+)(?:[ \t]+(-?\d+(?:\.\d+)?))?[ \t]*(?:#[^]*)?$/y;
const VALUE = /^[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i;
const NO_LABELS: Labels = Object.create(null) as Labels;
const ESCAPES: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };
/** Prometheus timestamps are in ms, those of OpenMetrics in s. Smaller values are seconds: as ms they would be before 1973. */
const MIN_MILLISECONDS = 1e11;
const END_OF_9999_MS = 253_402_300_799_999;

interface LabelBlock {
  /** The labels with their braces. */
  text: string;
  labels: Labels;
  /** The block of the line that followed the last one with this block. */
  next: LabelBlock | undefined;
}

/** Upper bound of cached label blocks. */
const MAX_BLOCKS = 20_000;

/**
 * Cache of the names and labels of pages. Each series has the lines of all GPUs, in the same order: most lines begin with
 * the name of the line before, and have the labels that followed those of the line before in the last series.
 */
export class ParsedParts {
  /** Name of the last line. */
  name = '';
  private readonly blocks = new Map<string, LabelBlock>();
  private last: LabelBlock | undefined;

  /** Returns a known block of labels at a position of a line. */
  find(line: string, position: number): LabelBlock | undefined {
    const expected = this.last?.next;
    if (expected !== undefined && line.startsWith(expected.text, position)) return (this.last = expected);
    // Text up to the last brace that was parsed as labels before has the same labels.
    return this.follow(this.blocks.get(line.slice(position, line.lastIndexOf('}') + 1)));
  }

  add(text: string, labels: Labels): void {
    if (this.blocks.size >= MAX_BLOCKS) {
      this.blocks.clear();
      this.last = undefined;
    }
    const block = { text, labels, next: undefined };
    this.blocks.set(text, block);
    this.follow(block);
  }

  private follow(block: LabelBlock | undefined): LabelBlock | undefined {
    if (block === undefined) return undefined;
    if (this.last !== undefined) this.last.next = block;
    return (this.last = block);
  }
}

/**
 * Parses one line of the Prometheus text exposition format 0.0.4 or of OpenMetrics
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). Parsers on npm read whole scrapes and fail at the first
 * invalid line, while here an invalid line must not affect the others.
 *
 * @param known cache of the page
 * @returns the sample, null for a comment or a blank line, or a fault
 */
export function parsePrometheusLine(
  text: string,
  known = new ParsedParts(),
): PrometheusSample | { fault: string } | null {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return null;
  let { name } = known;
  if (name === '' || !line.startsWith(name) || line[name.length] !== '{') {
    NAME.lastIndex = 0;
    const found = NAME.exec(line)?.[0];
    if (found === undefined) return { fault: 'not a Prometheus sample: it must begin with a metric name' };
    name = found;
    known.name = found;
  }
  let position = name.length;

  let labels: Labels | undefined;
  if (line[position] === '{') {
    const block = known.find(line, position);
    if (block !== undefined) {
      labels = block.labels;
      position += block.text.length;
    } else {
      const read = readLabels(line, position + 1);
      if ('fault' in read) return read;
      labels = read.labels;
      known.add(line.slice(position, read.end), labels);
      position = read.end;
    }
  } else if (name === name.trimEnd()) return { fault: 'the value is missing' };
  REST.lastIndex = position;
  const rest = REST.exec(line);
  if (!rest) return { fault: 'the value is missing, or is followed by something that is not a timestamp' };
  const [, value = '', timestamp] = rest;
  if (!VALUE.test(value)) return { fault: `the value is not a number: ${value.slice(0, 40)}` };
  const timestampMs = timestamp === undefined ? null : millisecondsOf(timestamp);
  if (timestampMs !== null && (timestampMs < 0 || timestampMs > END_OF_9999_MS))
    return { fault: `the timestamp is not a time: ${(timestamp as string).slice(0, 40)}` };
  return {
    name: name.trimEnd(),
    labels: labels ?? NO_LABELS,
    value: numberOf(value),
    timestampMs,
  };
}

function numberOf(value: string): number {
  const number = Number(value);
  return Number.isNaN(number) ? Number(value.replace(/inf(?:inity)?$/i, 'Infinity')) : number;
}

/** @returns the labels and the position after the closing brace, or a fault */
function readLabels(line: string, start: number): { labels: Labels; end: number } | { fault: string } {
  const labels = Object.create(null) as Record<string, string>;
  let position = start;
  for (let more = true; ;) {
    CLOSE.lastIndex = position;
    if (CLOSE.test(line)) return { labels, end: CLOSE.lastIndex };
    if (!more) return { fault: 'the labels are not closed with }' };
    LABEL.lastIndex = position;
    const match = LABEL.exec(line);
    if (!match) return { fault: 'the labels are invalid: they must be name="value", separated by commas' };
    const [, label = '', value = '', comma] = match;
    labels[label] = value.includes('\\')
      ? value.replace(/\\[\\n"]/g, (escape) => ESCAPES[escape] as string)
      : value;
    position = LABEL.lastIndex;
    more = comma === ',';
  }
}

function millisecondsOf(timestamp: string): number {
  const value = Number(timestamp);
  const seconds = timestamp.includes('.') || Math.abs(value) < MIN_MILLISECONDS;
  return Math.round(seconds ? value * 1_000 : value);
}
