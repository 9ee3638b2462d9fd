import type { SourceVerdict } from '../../../model/health/recovery-action.ts';
import type { GpuReadings } from '../../records/gpu-readings.ts';
import type { GpuInventory } from '../../records/records.ts';
import type { PrometheusSample } from './prometheus-line.ts';

/** A stored field of an exporter. docs/importing.md has the tables. */
export interface ExporterField {
  /** DCGM field number, which is stable when names change between versions; other exporters use that of the same reading. */
  number: number;
  /** Metric names: those until the first releases of DCGM 4, then those after the renaming. */
  names: readonly [string, ...string[]];
  /** The field of the sample or of the inventory. */
  recordField: keyof GpuReadings | keyof GpuInventory;
  /** Valid range in the unit of the series; values outside are rejected. */
  min: number;
  max: number;
  /** Integers: counts, codes and masks. */
  whole?: true;
  /** Number of a preferred field: this one is used only where that one is blank or absent. */
  fallbackFor?: number;
  /**
   * How values of MIG instances, of the partitions of a board or of its chips are combined: memory is added up, activity is
   * weighted by compute slices, clocks are averaged. The total memory of the instances is not that of the board, and of the XIDs
   * the one with the worst health is used. Other readings are those of the board, whichever instance reports them.
   */
  instances?: 'add up' | 'by slices' | 'mean' | 'largest' | 'worst XID' | 'not of the board';
  /** Whether the exporter writes 0 for a reading that the platform does not have. */
  zero?: 'blank';
  /** Returns the value of a line whose labels have it; default: the value of the line. */
  readLine?: (sample: PrometheusSample) => number | null;
  /** Returns what a value states about the health of the GPU, for fields of `source_health`; null: nothing. */
  verdictOf?: (value: number) => SourceVerdict | null;
  /** Factor from the unit of the series to that of the reading; default 1. A whole reading is rounded. */
  scale?: number;
}

/** Returns a field: a row of the table of an exporter. */
export function field(
  number: number,
  recordField: ExporterField['recordField'],
  rules: Omit<ExporterField, 'number' | 'recordField' | 'names'>,
  names: ExporterField['names'],
): ExporterField {
  return { number, recordField, ...rules, names };
}

// Fields with rules of their own, by the number of the DCGM field with the same reading.
export const UTILIZATION = 203;
export const UTILIZATION_RATIO = 1613;
export const FRAMEBUFFER_FREE = 251;
export const FRAMEBUFFER_TOTAL = 250;
export const FRAMEBUFFER_USED = 252;
export const FRAMEBUFFER_RESERVED = 253;
export const XID = 230;
