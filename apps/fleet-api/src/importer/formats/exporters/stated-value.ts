import type { Line } from '../../run/lines.ts';
import { isWorse } from '../source-verdict.ts';
import { type ExporterField, XID } from './exporter-field.ts';

/** The value of a field that lines of a page state: of the board, or of one of its instances. */
export interface StatedValue {
  /** Null: blank. */
  value: number | null;
  lines: Line[];
  /** Compute slices of the MIG instance. */
  slices: number;
}

/**
 * Adds a line that states the same field again, as one line per pod does where pods share a GPU.
 *
 * @returns the fault of a line that contradicts the earlier ones, or null
 */
export function addLine(
  stated: StatedValue,
  field: ExporterField,
  value: number | null,
  line: Line,
): string | null {
  const chosen = chosenOf(field, stated.value, value);
  if (chosen === undefined)
    return `${field.names[0]} is ${value} here, but ${stated.value} in an earlier line of the same GPU and time`;
  stated.value = chosen;
  stated.lines.push(line);
  return null;
}

/** Returns which of two values is used; undefined when they contradict each other. */
function chosenOf(
  { number, verdictOf }: ExporterField,
  earlier: number | null,
  later: number | null,
): number | null | undefined {
  if (earlier === null || later === null) return earlier ?? later;
  // Of statements about the health of the GPU, the worst one counts.
  if (verdictOf !== undefined) return isWorse(verdictOf(later), verdictOf(earlier)) ? later : earlier;
  // A code of one instance is that of the board; instances without one report 0.
  if (number === XID && (earlier === 0 || later === 0)) return earlier || later;
  return earlier === later ? earlier : undefined;
}
