import type { GpuInventory, GpuReadings } from '../../records/records.ts';

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
   * How values of MIG instances, or of the chips of a board, are combined: memory is added up, activity is weighted by
   * compute slices, clocks are averaged. Other readings are those of the board, whichever instance reports them.
   */
  instances?: 'add up' | 'by slices' | 'mean';
  /** Factor from the unit of the series to that of the reading; default 1. A whole reading is rounded. */
  scale?: number;
}

// Fields with rules of their own, by the number of the DCGM field with the same reading.
export const UTILIZATION = 203;
export const UTILIZATION_RATIO = 1613;
export const FRAMEBUFFER_FREE = 251;
export const FRAMEBUFFER_TOTAL = 250;
export const FRAMEBUFFER_USED = 252;
export const FRAMEBUFFER_RESERVED = 253;
export const XID = 230;
