import type { Line } from '../../run/lines.ts';
import { isWorse } from '../source-verdict.ts';
import { type ExporterField, XID } from './exporter-field.ts';

/** Value that a page reports for a field of a board or of one of its instances, with its lines. */
export interface ReportedValue {
  /** Null when blank. */
  value: number | null;
  lines: Line[];
  /** Number of compute slices of the MIG instance: the weight of its value under `by slices`. */
  slices: number;
}

/**
 * Merges another line of the same field and GPU into the value. Pods that share a GPU have a line each.
 *
 * @returns a fault if the line contradicts the earlier ones, or null
 */
export function addLine(
  reported: ReportedValue,
  field: ExporterField,
  value: number | null,
  line: Line,
): string | null {
  const earlier = reported.value;
  const isUsed = earlier === null || (value !== null && replaces(field, value, earlier));
  if (isUsed) reported.value = value;
  else if (value !== null && contradicts(field, value, earlier))
    return `${field.names[0]} is ${value} here, but ${earlier} in an earlier line of the same GPU and time`;
  reported.lines.push(line);
  return null;
}

/** Returns whether the later value replaces the earlier one: a worse health, or an XID after 0 (an instance without an XID). */
function replaces({ number, verdictOf }: ExporterField, later: number, earlier: number): boolean {
  if (verdictOf !== undefined) return isWorse(verdictOf(later), verdictOf(earlier));
  return number === XID && earlier === 0;
}

/**
 * Returns whether two values cannot both be true, if the later does not replace the earlier. Health verdicts may differ (the worst
 * is used), and an XID of 0 means only that the instance has none.
 */
function contradicts({ number, verdictOf }: ExporterField, later: number, earlier: number): boolean {
  return verdictOf === undefined && later !== earlier && !(number === XID && later === 0);
}
