import type { SourceVerdict } from '../../../model/health/recovery-action.ts';
import type { GpuReadings } from '../../records/gpu-readings.ts';
import type { GpuInventory } from '../../records/records.ts';
import type { PrometheusSample } from './prometheus-line.ts';

/** A field of an exporter that is stored. docs/importing.md has the tables. */
export interface ExporterField {
  /**
   * DCGM field number, which does not change when versions rename the field. Other exporters use the number of the same reading.
   * Fields that DCGM lacks have internal numbers from 10,000.
   */
  number: number;
  /** Metric names. For DCGM: the name until the first releases of version 4, then the name after the renaming. */
  names: readonly [string, ...string[]];
  /** Field of the sample or of the inventory that stores the value. */
  recordField: keyof GpuReadings | keyof GpuInventory;
  /** Valid range in the unit of the series; values outside are rejected. */
  min: number;
  max: number;
  /** Set for integers: counts, codes and masks. */
  whole?: true;
  /** Number of the preferred field. This field is used only where the preferred one is blank or absent. */
  fallbackFor?: number;
  /**
   * Rule that combines the values of MIG instances, partitions or chips of a board. Memory is added up, activity is weighted by
   * compute slices, clocks are averaged, and of several XIDs the one with the worst health is used. `not of the board`: the sum
   * over the instances is not the value of the board, so they are not combined. Default: every instance reports the value of the
   * board.
   */
  instances?: 'add up' | 'by slices' | 'mean' | 'largest' | 'worst XID' | 'not of the board';
  /** Set when the exporter writes 0 for a reading that the platform does not have. */
  zero?: 'blank';
  /** Returns the value to store from a line, null when it is blank. Default: the value of the line. */
  readLine?: (sample: PrometheusSample) => number | null;
  /** For fields of `source_health`: returns the health that a value reports, null when it reports none. */
  verdictOf?: (value: number) => SourceVerdict | null;
  /** Factor from the unit of the series to that of the reading; default 1. A whole reading is rounded. */
  scale?: number;
}

/** Creates a field. Each call is a row in the table of an exporter. */
export function field(
  number: number,
  recordField: ExporterField['recordField'],
  rules: Omit<ExporterField, 'number' | 'recordField' | 'names'>,
  names: ExporterField['names'],
): ExporterField {
  return { number, recordField, ...rules, names };
}

// Numbers of the DCGM fields with special rules. Fields of other exporters with the same reading share them.
export const UTILIZATION = 203;
export const UTILIZATION_RATIO = 1613;
export const FRAMEBUFFER_FREE = 251;
export const FRAMEBUFFER_TOTAL = 250;
export const FRAMEBUFFER_USED = 252;
export const FRAMEBUFFER_RESERVED = 253;
export const XID = 230;
