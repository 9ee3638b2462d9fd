import { parseJsonLine } from './json-line.ts';

/** Maximum number of nested wrappers, such as the JSON of a collector around that of a container runtime. */
export const MAX_LAYERS = 4;
const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})`;
/** Wrappers of a line. The group `text` is the text within them. */
const WRAPPERS = [
  // kubectl logs --prefix: [pod/falco-x2x7p/falco] {"rule":…
  /^\[pod\/\S+\] (?<text>.*)$/s,
  // Server-sent events (journalctl -o json-sse): data: {"MESSAGE":…
  // JSON text sequences (RFC 7464, journalctl -o json-seq): a record separator, then {"MESSAGE":…
  new RegExp(String.raw`^(?:data: ?|\u001E)(?<text>\{.*)$`, 's'),
  // Container Runtime Interface: 2026-11-21T08:00:00.5Z stdout F {"rule":… P marks a part of an entry, F its end.
  new RegExp(`^(?<time>${TIME}) (?:stdout|stderr) (?<part>[FP])(?::\\S+)? (?<text>.*)$`, 's'),
  // kubectl logs --timestamps: 2026-11-21T08:00:00.5Z {"rule":… Before JSON, an uptime, a syslog priority or a date only: a
  // line such as "<time> <host> kernel: …" has no wrapper, but begins with its own time.
  new RegExp(`^(?<time>${TIME}) (?<text>(?:[{[]|<\\d|[A-Z][a-z]{2} +\\d|\\d{4}-).*)$`, 's'),
  // Syslog before JSON. RFC 3164: <13>Nov 21 08:00:00 node-7 falco: {"rule":… Files of rsyslog: 2026-11-21T08:00:00Z node-7
  // falco: {"rule":…
  new RegExp(
    `^(?:<\\d+>)?(?:[A-Z][a-z]{2} +\\d{1,2} [\\d:]{8}|${TIME}) (?<host>\\S+) \\S+: ?(?<text>\\{.*)$`,
    's',
  ),
  // RFC 5424: <13>1 2026-11-21T08:00:00Z node-7 falco 812 - - {"rule":…
  new RegExp(
    `^<\\d+>1 ${TIME} (?<host>\\S+) \\S+ \\S+ \\S+ (?:-|\\[[^\\]]*\\]) ?\\uFEFF?(?<text>\\{.*)$`,
    's',
  ),
  // Up to two words before JSON: the tag of Fluentd, the stream of aws logs tail, the name of a container.
  new RegExp(`^(?:(?<time>${TIME})\\s+)?\\S+(?:\\s+\\S+)?\\s+(?<text>\\{\\s*".*\\})\\s*$`, 's'),
];
const CONTROL_SEQUENCE = new RegExp(String.raw`\u001B\[[0-9;]*[A-Za-z]`, 'g');

/** Text within a wrapper, with the time and host of the wrapper; null if it has none. */
interface UnwrappedText {
  text: string;
  time: string | null;
  host: string | null;
  /** Whether the runtime split the entry and this is not its end. */
  isPart: boolean;
}

/** Removes the wrappers of a text. The innermost time and host are used. */
export function unwrapText(wrapped: string, maxLayers = MAX_LAYERS): UnwrappedText {
  const text = withoutControlSequences(wrapped);
  const outer = text.startsWith('{') ? unwrapDocker(text) : unwrapLine(text);
  if (outer === null || maxLayers === 0) return { text, time: null, host: null, isPart: false };
  const inner = unwrapText(outer.text, maxLayers - 1);
  return {
    text: inner.text,
    time: inner.time ?? outer.time,
    host: inner.host ?? outer.host,
    isPart: outer.isPart || inner.isPart,
  };
}

/** Removes the escape sequences of terminals, such as colors. */
function withoutControlSequences(text: string): string {
  return text.includes('\u001B') ? text.replace(CONTROL_SEQUENCE, '') : text;
}

function unwrapLine(wrapped: string): UnwrappedText | null {
  for (const wrapper of WRAPPERS) {
    const groups: Record<string, string | undefined> | undefined = wrapper.exec(wrapped)?.groups;
    if (groups === undefined) continue;
    const { text = '', time = null, host = null, part } = groups;
    return { text, time, host, isPart: part === 'P' };
  }
  return null;
}

/** Unwraps a line of Docker's json-file driver. Docker splits long lines: only the last part ends with a line break. */
function unwrapDocker(text: string): UnwrappedText | null {
  if (!/"log"\s*:/.test(text)) return null;
  const json = parseJsonLine({ text });
  if ('fault' in json) return null;
  const { log, time, stream, attrs: _attributes, ...others } = json.value as Record<string, unknown>;
  const isDocker = typeof stream === 'string' && Object.keys(others).length === 0;
  if (!isDocker || typeof log !== 'string' || typeof time !== 'string') return null;
  return { text: log.replace(/\r?\n$/, ''), time, host: null, isPart: !log.endsWith('\n') };
}
