import type { GpuInventory } from '../../records/records.ts';
import type { ExporterField } from './exporter-field.ts';
import type { Labels } from './labels.ts';
import type { Workload } from './workload-labels.ts';

/** Host names that do not come from labels. */
export interface HostNames {
  /** Host of all GPUs, whatever their labels contain. */
  override?: string | undefined;
  /** Host of the GPUs whose labels contain no host. */
  fallback?: string | undefined;
}

/** The GPU that labels identify, or the reason that they are invalid. */
export type Description = { gpuId: string; inventory: GpuInventory } | { fault: string };

/** Part of a board that a line reports on. */
export interface BoardPart {
  /** MIG instance, partition or chip; empty for the board itself. */
  instance: string;
  /** Number of its compute slices. */
  slices: number;
}

/** Format of the metrics page of an exporter. */
export interface ExporterFormat {
  exporter: string;
  /** Name of the import subcommand. */
  adapter: 'dcgm' | 'amd' | 'nvidia-gpu-exporter';
  vendor: 'NVIDIA' | 'AMD';
  /** Names of all series of the exporter, stored or not. */
  series: RegExp;
  fields: readonly ExporterField[];
  fieldByNumber: ReadonlyMap<number, ExporterField>;
  /** Returns the field of a line, undefined if it has none. For some series it depends on the labels. */
  fieldOf(series: string, labels: Labels): ExporterField | undefined;
  /** Returns whether a series without a field is known. Its lines are counted; those of unknown series are rejected. */
  isIgnored(series: string): boolean;
  /** Series without a reading, with the inventory in its labels. */
  infoSeries?: string;
  /** Series with the code of an XID in its labels. The value is the time of its last occurrence, in s since the epoch. */
  xidTimeSeries?: string;
  /** Returns whether a value is the sentinel of the exporter for a missing reading. @param whole whether the field is an integer */
  isBlank(value: number, whole: boolean): boolean;
  /** Returns the id and the inventory of the GPU in the labels. */
  describe(labels: Labels, host: HostNames): Description;
  /** Returns the pod or job in the labels, null without one. */
  workloadOf?(labels: Labels): Workload | null;
  partOf(labels: Labels): BoardPart;
}

/** Returns a map of fields by number. */
export function fieldsByNumber(fields: readonly ExporterField[]): Map<number, ExporterField> {
  return new Map(fields.map((field) => [field.number, field]));
}

/** Returns a map of fields by series name. */
export function fieldsByName(fields: readonly ExporterField[]): Map<string, ExporterField> {
  return new Map(fields.flatMap((field) => field.names.map((name) => [name, field] as const)));
}
