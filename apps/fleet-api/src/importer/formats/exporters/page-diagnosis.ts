import type { SourceItem } from '../../run/source.ts';
import { adviceOn, diagnoseInput } from '../diagnose-input.ts';
import type { ExporterFormat } from './exporter-format.ts';
import { exporterOf } from './exporter-formats.ts';

/** Exporters without an adapter, by a pattern of their series. */
const OTHER_EXPORTERS = [
  { series: /^node_/, looksLike: 'node_exporter, which has no GPUs' },
  {
    series: /^(?:rocm_smi|amdgpu|amd_smi)_/i,
    looksLike: 'an exporter of AMD GPUs without an adapter: use device-metrics-exporter',
  },
];

/** A page without any stored series. */
interface WrongPage {
  /** The format that it should have; undefined for any. */
  format: ExporterFormat | undefined;
  /** Name of its first series; null when no line could be parsed. */
  firstSeries: string | null;
  firstFault: SourceItem | undefined;
}

/** Returns a message with the probable format of the page and the adapter that reads it. */
export function diagnosePage({ format, firstSeries, firstFault }: WrongPage): string {
  const expected = `the page has no series of ${format?.exporter ?? 'a known exporter'}`;
  if (firstSeries === null) return `${expected}${diagnoseFirstLine(firstFault)}`;
  const actual = exporterOf(firstSeries);
  if (actual !== undefined && actual !== format)
    return `${expected} but looks like ${actual.exporter}: use the adapter ${actual.adapter}`;
  const other = OTHER_EXPORTERS.find(({ series }) => series.test(firstSeries))?.looksLike;
  return other === undefined
    ? `${expected} (it has ${firstSeries.slice(0, 100)})`
    : `${expected} but looks like ${other}`;
}

/** Returns the end of the message for a page whose lines are all invalid. */
function diagnoseFirstLine(firstFault: SourceItem | undefined): string {
  if (firstFault === undefined || !('fault' in firstFault)) return ': it is empty';
  const text = firstFault.origin.lines[0]?.text ?? '';
  const input = diagnoseInput(text) ?? (/^\s*[{[]/.test(text) ? { looksLike: 'JSON', adapter: null } : null);
  return input === null ? ` (line 1: ${firstFault.fault})` : ` but looks like ${adviceOn(input)}`;
}
