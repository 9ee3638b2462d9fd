import { RECORD_KINDS } from '../records/record-schemas.ts';
import { exporterOf } from './exporters/exporter-formats.ts';

/** Probable format of an input, and the adapter that reads it. */
interface KnownInput {
  looksLike: string;
  /** Null if no adapter reads it. */
  adapter: string | null;
}

const CSV_COLUMN = String.raw`[a-z][\w.]*(?: \[\S+\])?`;
const GPU_COLUMN = String.raw`\b(?:uuid|pci\.bus_id|utilization\.gpu|memory\.used|temperature\.gpu|power\.draw)\b`;
const CSV = {
  looksLike: 'CSV of nvidia-smi --query-gpu (print XML with nvidia-smi -q -x)',
  adapter: 'nvidia-smi',
};
const FIELD_PER_LINE = 'which has one field per line: use journalctl -k -o json or -o short-iso-precise';

/** Formats of inputs, recognized by a line or a JSON document. The first one that matches is used. */
const INPUTS: readonly (KnownInput & { form: RegExp })[] = [
  {
    form: /^<(?:\?xml|!DOCTYPE nvidia_smi_log|nvidia_smi_log)/,
    looksLike: 'XML of nvidia-smi',
    adapter: 'nvidia-smi',
  },
  {
    form: /NVSMI LOG|^\| NVIDIA-SMI \d/,
    looksLike: 'text of nvidia-smi (print XML with nvidia-smi -q -x)',
    adapter: 'nvidia-smi',
  },
  // First the header, with at least one column that other CSV files do not have; then a row with a UUID.
  { form: new RegExp(`^(?=.*${GPU_COLUMN})${CSV_COLUMN}(?:, ?${CSV_COLUMN})+$`), ...CSV },
  { form: /^(?:[^,{"]+, )*GPU-[0-9a-f]{8}-[0-9a-f-]{27}(?:,|$)/, ...CSV },
  {
    form: /^#\s*Entity\s/,
    looksLike: 'the table of dcgmi dmon (import the page of dcgm-exporter)',
    adapter: 'dcgm',
  },
  { form: /^__CURSOR=/, looksLike: `journalctl -o export, ${FIELD_PER_LINE}`, adapter: null },
  {
    form: /^[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} .* \[s=[0-9a-f]+;/,
    looksLike: `journalctl -o verbose, ${FIELD_PER_LINE}`,
    adapter: null,
  },
  {
    form: /^\s*"(?:rule|output_fields)"\s*:|"rule"\s*:.*"priority"\s*:|"priority"\s*:.*"rule"\s*:/m,
    looksLike: 'Falco alerts',
    adapter: 'falco',
  },
  {
    form: new RegExp(`"kind"\\s*:\\s*"(?:${RECORD_KINDS.join('|')})"`),
    looksLike: 'records',
    adapter: 'ndjson',
  },
  { form: /\[tid \d+\] /, looksLike: 'the log of the fabric manager', adapter: 'xid' },
  {
    // In this order: the name of the driver, that of the kernel, JSON of journald, the prefix of dmesg, that of /dev/kmsg.
    form: /(?<!MESSAGE=)NVRM: |\bkernel: |"_TRANSPORT"\s*:\s*"kernel"|^(?:<\d+>)?\[ *\d+\.\d{6}\] |^\d+,\d+,\d+,[^;]*;/,
    looksLike: 'a kernel log',
    adapter: 'xid',
  },
  { form: /^\s*<(?:!DOCTYPE )?html/i, looksLike: 'HTML', adapter: null },
];
const FAILED_NVIDIA_SMI =
  /^(?:Failed to initialize NVML|No devices were found|Unable to determine the device handle|NVIDIA-SMI has failed)/;
/** A comment, a sample with labels or a sample without, in the Prometheus text format. */
const SERIES =
  /^(?:# (?:HELP|TYPE) (?<described>[\w:]+) |(?<labeled>[\w:]+)\{\w+="|(?<plain>\w+_[\w:]+) [-+\d.eE]+$)/;
/** Maximum number of characters of the input that a message quotes. */
const MAX_QUOTED = 100;

/** Returns the probable format of a line or a JSON document, or null if it is unknown. */
export function diagnoseInput(text: string): KnownInput | null {
  if (FAILED_NVIDIA_SMI.test(text))
    return {
      looksLike: `the output of an nvidia-smi that failed ("${text.slice(0, MAX_QUOTED)}")`,
      adapter: null,
    };
  const input = INPUTS.find(({ form }) => form.test(text));
  if (input !== undefined) return { looksLike: input.looksLike, adapter: input.adapter };
  const { described, labeled, plain } = SERIES.exec(text)?.groups ?? {};
  const series = described ?? labeled ?? plain;
  if (series === undefined) return null;
  const format = exporterOf(series);
  return format === undefined
    ? { looksLike: `the page of an exporter (it has ${series.slice(0, MAX_QUOTED)})`, adapter: null }
    : { looksLike: `the page of ${format.exporter}`, adapter: format.adapter };
}

/** Returns the text of a message: the probable format of the input, and the adapter to use. */
export function adviceOn({ looksLike, adapter }: KnownInput): string {
  return adapter === null ? looksLike : `${looksLike}: use the adapter ${adapter}`;
}
