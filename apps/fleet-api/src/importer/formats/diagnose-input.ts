import { RECORD_KINDS } from '../records/record-schemas.ts';
import { exporterOf } from './exporters/exporter-formats.ts';

/** What an input looks like, and the adapter that reads it. */
export interface KnownInput {
  what: string;
  /** Null if no adapter reads it. */
  adapter: string | null;
}

const LINES = 'which has one field per line: use journalctl -k -o json or -o short-iso-precise';
/** Kinds of input, by a pattern of a line; the first match decides. The line replaces `…`. */
const INPUTS: [line: RegExp, what: string, adapter: string | null][] = [
  [/^<(?:\?xml|!DOCTYPE nvidia_smi_log|nvidia_smi_log)/, 'XML of nvidia-smi', 'nvidia-smi'],
  [/NVSMI LOG|^\| NVIDIA-SMI \d/, 'text of nvidia-smi (print XML with nvidia-smi -q -x)', 'nvidia-smi'],
  [
    /^(?=.*\b(?:uuid|pci\.bus_id|utilization\.gpu|memory\.used|temperature\.gpu|power\.draw)\b)[a-z][\w.]*(?: \[\S+\])?(?:, ?[a-z][\w.]*(?: \[\S+\])?)+$|^(?:[^,{"]+, )*GPU-[0-9a-f]{8}-[0-9a-f-]{27}(?:,|$)/,
    'CSV of nvidia-smi --query-gpu (print XML with nvidia-smi -q -x)',
    'nvidia-smi',
  ],
  [
    /^(?:Failed to initialize NVML|No devices were found|Unable to determine the device handle|NVIDIA-SMI has failed)/,
    'the output of an nvidia-smi that failed ("…")',
    null,
  ],
  [/^#\s*Entity\s/, 'the table of dcgmi dmon (import the page of dcgm-exporter)', 'dcgm'],
  [/^__CURSOR=/, `journalctl -o export, ${LINES}`, null],
  [/^[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} .* \[s=[0-9a-f]+;/, `journalctl -o verbose, ${LINES}`, null],
  [
    /^\s*"(?:rule|output_fields)"\s*:|"rule"\s*:.*"priority"\s*:|"priority"\s*:.*"rule"\s*:/m,
    'Falco alerts',
    'falco',
  ],
  [new RegExp(`"kind"\\s*:\\s*"(?:${RECORD_KINDS.join('|')})"`), 'records', 'ndjson'],
  [/\[tid \d+\] /, 'the log of the fabric manager', 'xid'],
  [
    /(?<!MESSAGE=)NVRM: |\bkernel: |"_TRANSPORT"\s*:\s*"kernel"|^(?:<\d+>)?\[ *\d+\.\d{6}\] |^\d+,\d+,\d+,[^;]*;/,
    'a kernel log',
    'xid',
  ],
  [/^\s*<(?:!DOCTYPE )?html/i, 'HTML', null],
];
/** A comment or a sample of the Prometheus text format. */
const SERIES = /^(?:# (?:HELP|TYPE) ([\w:]+) |([\w:]+)\{\w+="|(\w+_[\w:]+) [-+\d.eE]+$)/;

/** Returns what a line or a JSON document of an input looks like, or null if it is unknown. */
export function diagnoseInput(text: string): KnownInput | null {
  const input = INPUTS.find(([pattern]) => pattern.test(text));
  if (input !== undefined)
    return { what: input[1].replace('…', () => text.slice(0, 100)), adapter: input[2] };
  const series = SERIES.exec(text)
    ?.slice(1)
    .find((name) => name !== undefined);
  if (series === undefined) return null;
  const format = exporterOf(series);
  return format === undefined
    ? { what: `the page of an exporter (it has ${series.slice(0, 100)})`, adapter: null }
    : { what: `the page of ${format.exporter}`, adapter: format.adapter };
}

/** Returns what an input is, and how to import it. */
export function adviceOn({ what, adapter }: KnownInput): string {
  return adapter === null ? what : `${what}: use the adapter ${adapter}`;
}
