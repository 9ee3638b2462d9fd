import type { SourceItem } from '../../run/source.ts';
import type { ExporterFormat } from './exporter-format.ts';
import { EXPORTER_FORMATS } from './exporter-formats.ts';

/** Exporters without an adapter, by a pattern of their series. */
const OTHER_EXPORTERS: [series: RegExp, looksLike: string][] = [
  [/^node_/, 'node_exporter, which has no GPUs'],
  [
    /^(?:rocm_smi|amdgpu|amd_smi)_/i,
    'an exporter of AMD GPUs without an adapter: use device-metrics-exporter',
  ],
];

/** Input that is no page of an exporter, by its first line. */
const OTHER_INPUT: [line: RegExp, looksLike: string][] = [
  [/^<(?:\?xml|!DOCTYPE nvidia_smi_log|nvidia_smi_log)/, 'XML of nvidia-smi: use the adapter nvidia-smi'],
  [/NVSMI LOG/, 'nvidia-smi -q: import nvidia-smi -q -x with the adapter nvidia-smi'],
  [/^</, 'HTML'],
  [/NVRM: |kernel: |^(?:<\d+>)?\[ *\d+\.\d+\] /, 'a kernel log: use the adapter xid'],
  [/^\{.*"(?:rule|priority)"/, 'Falco: use the adapter falco'],
  [/^\{.*"kind"/, 'records: use the adapter ndjson'],
  [/^[{[]/, 'JSON'],
];

/** A page without any stored series. */
export interface WrongPage {
  /** The format that it should have; undefined for any. */
  format: ExporterFormat | undefined;
  /** Name of its first series; null without one. */
  firstSeries: string | null;
  firstFault: SourceItem | undefined;
}

/** Returns what the page looks like, and how to import it. */
export function diagnosePage({ format, firstSeries, firstFault }: WrongPage): string {
  const expected = `the page has no series of ${format?.exporter ?? 'a known exporter'}`;
  if (firstSeries === null) return `${expected}${diagnoseInput(firstFault)}`;
  const actual = EXPORTER_FORMATS.find(
    (known) => known.fieldOf(firstSeries, {}) !== undefined || known.series.test(firstSeries),
  );
  if (actual !== undefined && actual !== format)
    return `${expected} but looks like ${actual.exporter}: use the adapter ${actual.adapter}`;
  const other = OTHER_EXPORTERS.find(([series]) => series.test(firstSeries))?.[1];
  return other === undefined
    ? `${expected} (it has ${firstSeries.slice(0, 100)})`
    : `${expected} but looks like ${other}`;
}

function diagnoseInput(firstFault: SourceItem | undefined): string {
  if (firstFault === undefined || !('fault' in firstFault)) return ': it is empty';
  const text = firstFault.origin.lines[0]?.text ?? '';
  const looksLike = OTHER_INPUT.find(([line]) => line.test(text))?.[1];
  return looksLike === undefined ? ` (line 1: ${firstFault.fault})` : ` but looks like ${looksLike}`;
}
