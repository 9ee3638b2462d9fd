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

/**
 * Parses one line of the Prometheus text exposition format 0.0.4 or of OpenMetrics
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). Parsers on npm read whole scrapes and fail at the first
 * invalid line, while here an invalid line must not affect the others.
 *
 * @param known cache of parsed labels by their text, which repeats in all lines of a GPU
 * @returns the sample, null for a comment or a blank line, or a fault
 */
export function parsePrometheusLine(
  text: string,
  known = new Map<string, Labels>(),
): PrometheusSample | { fault: string } | null {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return null;
  NAME.lastIndex = 0;
  const name = NAME.exec(line)?.[0];
  if (name === undefined) return { fault: 'not a Prometheus sample: it must begin with a metric name' };
  let position = name.length;

  let labels: Labels | undefined;
  if (line[position] === '{') {
    // Text up to the last brace that was parsed as labels before has the same labels.
    const block = line.slice(position, line.lastIndexOf('}') + 1);
    labels = known.get(block);
    if (labels !== undefined) position += block.length;
    else {
      const read = readLabels(line, position + 1);
      if ('fault' in read) return read;
      labels = read.labels;
      known.set(line.slice(position, read.end), labels);
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
    value: Number(value.replace(/inf(?:inity)?$/i, 'Infinity')),
    timestampMs,
  };
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
