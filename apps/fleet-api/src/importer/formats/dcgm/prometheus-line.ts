/** The same labels are one object for all lines that are read together. */
export type Labels = Readonly<Record<string, string | undefined>>;

/** One sample line of the Prometheus text format. */
export interface PrometheusSample {
  name: string;
  labels: Labels;
  value: number;
  /** Milliseconds since the epoch, when the line says so. */
  timestampMs: number | null;
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*[ \t]*/y;
// Every repetition below begins with another character than what follows it, so no line can make them backtrack for long.
const LABEL = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*(,?)/y;
const CLOSE = /\s*\}/y;
/** Value, timestamp, and the exemplar that OpenMetrics may put behind them. */
const REST = /[ \t]*([^ \t]+)(?:[ \t]+(-?\d+(?:\.\d+)?))?[ \t]*(?:#[^]*)?$/y;
const VALUE = /^[+-]?(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i;
const NO_LABELS: Labels = Object.create(null) as Labels;
const ESCAPES: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };
/** Prometheus' timestamps are milliseconds, OpenMetrics' are seconds: so few milliseconds were in 1973. */
const FEWEST_MILLISECONDS = 1e11;
const END_OF_9999_MS = 253_402_300_799_999;

/**
 * Reads one line of the Prometheus text exposition format 0.0.4, or of OpenMetrics, by itself: the parsers on npm take a
 * whole scrape and give up on it at the first bad line, while a bad line must not cost its neighbours here.
 *
 * @param known labels that lines before had, by their text: a scrape says those of a GPU in each of its lines
 * @returns null for a comment or a blank line, a sample, or what is wrong
 */
export function parsePrometheusLine(
  text: string,
  known = new Map<string, Labels>(),
): PrometheusSample | { fault: string } | null {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return null;
  NAME.lastIndex = 0;
  const name = NAME.exec(line)?.[0];
  if (name === undefined) return { fault: 'not a Prometheus sample: it should begin with a metric name' };
  let position = name.length;

  let labels: Labels | undefined;
  if (line[position] === '{') {
    // What was once read as labels up to its last brace is read so again.
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
  if (!rest) return { fault: 'the value is missing, or something follows it that is no timestamp' };
  const [, value = '', timestamp] = rest;
  if (!VALUE.test(value)) return { fault: `the value is not a number: ${value.slice(0, 40)}` };
  const timestampMs = timestamp === undefined ? null : millisecondsOf(timestamp);
  if (timestampMs !== null && (timestampMs < 0 || timestampMs > END_OF_9999_MS))
    return { fault: `the timestamp is no time: ${(timestamp as string).slice(0, 40)}` };
  return {
    name: name.trimEnd(),
    labels: labels ?? NO_LABELS,
    value: Number(value.replace(/inf(?:inity)?$/i, 'Infinity')),
    timestampMs,
  };
}

/** @returns the labels and the position behind the closing brace, or what is wrong */
function readLabels(line: string, start: number): { labels: Labels; end: number } | { fault: string } {
  const labels = Object.create(null) as Record<string, string>;
  let position = start;
  for (let more = true; ;) {
    CLOSE.lastIndex = position;
    if (CLOSE.test(line)) return { labels, end: CLOSE.lastIndex };
    if (!more) return { fault: 'the labels are not closed with }' };
    LABEL.lastIndex = position;
    const match = LABEL.exec(line);
    if (!match) return { fault: 'the labels are broken: they should be name="value", separated by commas' };
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
  const seconds = timestamp.includes('.') || Math.abs(value) < FEWEST_MILLISECONDS;
  return Math.round(seconds ? value * 1_000 : value);
}
