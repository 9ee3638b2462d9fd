import type { GpuInventory } from '../../records/records.ts';
import type { ExporterField } from './exporter-field.ts';
import type { Labels } from './labels.ts';
import type { Workload } from './workload-labels.ts';

/** Hosts that no label states. */
export interface HostNames {
  /** Host of all GPUs, whatever their labels are. */
  override?: string | undefined;
  /** Host of GPUs without a label for it. */
  fallback?: string | undefined;
}

export type Description = { gpuId: string; inventory: GpuInventory } | { fault: string };

/** The page of an exporter. */
export interface ExporterFormat {
  exporter: string;
  /** Name of the import subcommand. */
  adapter: 'dcgm' | 'amd' | 'nvidia-gpu-exporter';
  vendor: 'NVIDIA' | 'AMD';
  /** Names of all series of the exporter, stored or not. */
  series: RegExp;
  fields: readonly ExporterField[];
  fieldByNumber: ReadonlyMap<number, ExporterField>;
  /** Returns the field of a line, which for some series its labels decide. */
  fieldOf(series: string, labels: Labels): ExporterField | undefined;
  /** Returns whether a series without a field is known, so that its lines are counted; those of other series are rejected. */
  isIgnored(series: string): boolean;
  /** Series with the inventory in its labels and no reading. */
  infoSeries?: string;
  /** Series with the code of an XID in its labels and the time of the last one, in s since the epoch. */
  xidTimeSeries?: string;
  /** Returns whether a value is a blank value: the sentinel of the exporter for a missing reading. */
  isBlank(value: number, whole: boolean): boolean;
  /** Returns the GPU of the labels, and the inventory in them. */
  describe(labels: Labels, host: HostNames): Description;
  /** Returns the pod or job in the labels. */
  workloadOf?(labels: Labels): Workload | null;
  /** Returns the part of the board that a line is about: empty for the board itself, with its compute slices. */
  partOf(labels: Labels): { instance: string; slices: number };
}

/** Returns fields by their number. */
export function fieldsByNumber(fields: readonly ExporterField[]): Map<number, ExporterField> {
  return new Map(fields.map((field) => [field.number, field]));
}

/** Returns fields by the names of their series. */
export function fieldsByName(fields: readonly ExporterField[]): Map<string, ExporterField> {
  return new Map(fields.flatMap((field) => field.names.map((name) => [name, field] as const)));
}
