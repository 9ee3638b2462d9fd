import type { Line } from '../../run/lines.ts';
import { isWorse } from '../source-verdict.ts';
import { type ExporterField, XID } from './exporter-field.ts';

/** Value of a field of the board or of one of its instances, with the lines of the page that it comes from. */
export interface StatedValue {
  /** Null when blank. */
  value: number | null;
  lines: Line[];
  /** Compute slices of the MIG instance. */
  slices: number;
}

/**
 * Adds a further line of the same field. Pods that share a GPU have a line each.
 *
 * @returns a fault if the line contradicts the earlier ones, or null
 */
export function addLine(
  stated: StatedValue,
  field: ExporterField,
  value: number | null,
  line: Line,
): string | null {
  const earlier = stated.value;
  if (earlier === null || (value !== null && replaces(field, value, earlier))) stated.value = value;
  else if (value !== null && contradicts(field, value, earlier))
    return `${field.names[0]} is ${value} here, but ${earlier} in an earlier line of the same GPU and time`;
  stated.lines.push(line);
  return null;
}

/** Returns whether a later value replaces the earlier one: a worse health, or an XID after 0 (an instance without an XID). */
function replaces({ number, verdictOf }: ExporterField, later: number, earlier: number): boolean {
  if (verdictOf !== undefined) return isWorse(verdictOf(later), verdictOf(earlier));
  return number === XID && earlier === 0;
}

function contradicts({ number, verdictOf }: ExporterField, later: number, earlier: number): boolean {
  return verdictOf === undefined && later !== earlier && !(number === XID && later === 0);
}
