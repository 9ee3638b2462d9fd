/** One sample line of the Prometheus text format. */
export interface PrometheusSample {
  name: string;
  labels: Record<string, string>;
  value: number;
  /** Milliseconds since the epoch, when the line says so. */
  timestampMs: number | null;
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const LABEL = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\\n]|\\.)*)"\s*(,?)/y;
const REST = /\s+(\S+)(?:\s+(-?\d+))?\s*$/y;
const VALUE = /^[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|Inf|inf|NaN|nan)$/;
const ESCAPES: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\' };

/**
 * Reads one line of the Prometheus text exposition format 0.0.4, by itself: the parsers on npm take a whole scrape and
 * give up on it at the first bad line, while a bad line must not cost its neighbours here.
 *
 * @returns null for a comment or a blank line, a sample, or what is wrong
 */
export function parsePrometheusLine(text: string): PrometheusSample | { fault: string } | null {
  const line = text.trim();
  if (line === '' || line.startsWith('#')) return null;
  NAME.lastIndex = 0;
  const name = NAME.exec(line)?.[0];
  if (name === undefined) return { fault: 'not a Prometheus sample: it should begin with a metric name' };
  let position = name.length;

  const labels: Record<string, string> = Object.create(null) as Record<string, string>;
  if (line[position] === '{') {
    position += 1;
    let more = true;
    while (more && !/^\s*\}/.test(line.slice(position, position + 64))) {
      LABEL.lastIndex = position;
      const match = LABEL.exec(line);
      if (!match) return { fault: 'the labels are broken: they should be name="value", separated by commas' };
      labels[match[1] as string] = (match[2] as string).replace(
        /\\[\\n"]/g,
        (escape) => ESCAPES[escape] as string,
      );
      position = LABEL.lastIndex;
      more = match[3] === ',';
    }
    const close = line.indexOf('}', position);
    if (close === -1 || line.slice(position, close).trim() !== '')
      return { fault: 'the labels are not closed with }' };
    position = close + 1;
    if (line[position] !== ' ' && line[position] !== '\t') return { fault: 'the value is missing' };
  }
  REST.lastIndex = position;
  const rest = REST.exec(line);
  if (!rest) return { fault: 'the value is missing, or something follows it that is no timestamp' };
  if (!VALUE.test(rest[1] as string))
    return { fault: `the value is not a number: ${(rest[1] as string).slice(0, 40)}` };
  return {
    name,
    labels,
    value: Number((rest[1] as string).replace(/inf$/i, 'Infinity')),
    timestampMs: rest[2] === undefined ? null : Number(rest[2]),
  };
}
