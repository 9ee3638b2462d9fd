import type { XidCatalog } from '../../../model/health/xid-catalog.ts';
import type { RecordReader } from '../../records/record-reader.ts';
import type { GpuInventory } from '../../records/records.ts';
import type { Line } from '../../run/lines.ts';
import { readRecords, type SourceItem } from '../../run/source.ts';
import type { ExporterField } from './exporter-field.ts';
import type { BoardPart, ExporterFormat, HostNames } from './exporter-format.ts';
import { EXPORTER_FORMATS } from './exporter-formats.ts';
import { exporterValue } from './exporter-value.ts';
import type { Labels } from './labels.ts';
import { diagnosePage } from './page-diagnosis.ts';
import { parsePrometheusLine, type PrometheusSample } from './prometheus-line.ts';
import { ScrapedGpu } from './scraped-gpu.ts';
import { SeriesCache } from './series-cache.ts';
import type { Workload } from './workload-labels.ts';

/** Series of the Prometheus client library about the exporter itself. */
const RUNTIME_SERIES = /^(?:go|process|promhttp)_/;

export interface PageOptions {
  hosts?: HostNames;
  /** Catalog to find the XID with the worst health, if a GPU has several. Default: the first XID is used. */
  xidCatalog?: XidCatalog;
  /** Format of the page. Default: the format of its first known series. */
  format?: ExporterFormat;
  /** Cache that is shared with earlier pages. */
  cache?: SeriesCache;
}

/** The GPU, the inventory and the workload in the labels of a line. */
interface DescribedLabels {
  gpuId: string;
  inventory: GpuInventory;
  workload: Workload | null;
  part: BoardPart;
  /** The readings that the last line with these labels was added to: those of `gpuId` at one time. */
  latestGpu: ScrapedGpu | null;
}

/**
 * Converts the page of an exporter to records: for each GPU and timestamp a `gpu`, its `gpu_workload`s and `xid_event`s, and a
 * `gpu_sample`. A line that is invalid becomes a fault and does not affect other lines.
 */
export class ExporterPage {
  /** Number of lines per series that are neither stored nor rejected: known series, and values that another line replaces. */
  readonly ignored = new Map<string, number>();
  private readonly faults: SourceItem[] = [];
  /** GPUs by time and id. */
  private readonly gpus = new Map<string, ScrapedGpu>();
  /** Cache: lines with the same labels share one object. */
  private readonly describedLabels = new Map<Labels, DescribedLabels | { fault: string }>();
  private hasStoredSeries = false;
  private firstUnstoredSeries: string | null = null;
  private format: ExporterFormat | undefined;
  private readonly cache: SeriesCache;

  /** @param at time of lines without a timestamp */
  constructor(
    private readonly file: string,
    private readonly at: Date,
    private readonly reader: RecordReader,
    private readonly options: PageOptions = {},
  ) {
    this.format = options.format;
    this.cache = options.cache ?? new SeriesCache();
  }

  /** Returns why a page without any stored series cannot be imported, and the adapter to use; null for other pages. */
  formatFault(): string | null {
    if (this.hasStoredSeries) return null;
    return diagnosePage({
      format: this.format,
      firstSeries: this.firstUnstoredSeries,
      firstFault: this.faults[0],
    });
  }

  /** Adds a line. If it is invalid, its fault becomes an item. */
  add(line: Line): void {
    const fault = line.fault ?? this.addLine(line);
    if (fault !== null) this.faults.push({ fault, origin: { file: this.file, lines: [line] } });
  }

  /**
   * Ends the page, once. Lines that are not needed because of others are counted in `ignored`.
   *
   * @returns the faults of lines, then the records and faults of GPUs in time order
   */
  finish(): SourceItem[] {
    const inTime = [...this.gpus.values()].sort((a, b) => a.atMs - b.atMs);
    return [...this.faults, ...inTime.flatMap((gpu) => this.finishGpu(gpu))];
  }

  /** @returns the fault of the line, or null */
  private addLine(line: Line): string | null {
    const sample = parsePrometheusLine(line.text, this.cache);
    if (sample === null) return null;
    if ('fault' in sample) return sample.fault;
    const { name, labels } = sample;
    this.format ??= formatOf(name, labels);
    const { format } = this;
    // Undefined also for the two series that are stored without a reading: their labels have the inventory or an XID.
    const field = format?.fieldOf(name, labels);
    const isStored = field !== undefined || name === format?.infoSeries || name === format?.xidTimeSeries;
    if (format === undefined || !isStored) return this.countUnstored(name);
    this.hasStoredSeries = true;
    return this.addToGpu(line, sample, format, field);
  }

  /** Counts a line of a known series that is not stored. @returns a fault if the series is unknown, or null */
  private countUnstored(name: string): string | null {
    this.firstUnstoredSeries ??= name;
    // A series that was counted before is not matched again.
    const isKnown = this.ignored.has(name) || RUNTIME_SERIES.test(name) || this.format?.isIgnored(name);
    if (!isKnown) return `${name.slice(0, 100)} is not a stored metric`;
    this.addIgnored(name, 1);
    return null;
  }

  private addIgnored(series: string, lines: number): void {
    this.ignored.set(series, (this.ignored.get(series) ?? 0) + lines);
  }

  /** Adds a stored line to the readings of its GPU and time. @returns the fault of the line, or null */
  private addToGpu(
    line: Line,
    sample: PrometheusSample,
    format: ExporterFormat,
    field: ExporterField | undefined,
  ): string | null {
    const described = this.describeLabels(format, sample.labels);
    if ('fault' in described) return described.fault;
    const gpu = this.gpuOf(described, sample.timestampMs ?? this.at.getTime(), format);
    if (field === undefined) {
      if (sample.name === format.xidTimeSeries) gpu.addXid(Number(sample.labels.xid), sample.value);
      // The line of an XID has no reading either.
      gpu.addInfo(line);
    } else {
      const read = exporterValue(format, field, sample);
      const fault = 'fault' in read ? read.fault : gpu.addValue(field, described.part, read.value, line);
      if (fault !== null) return fault;
    }
    // Labels are applied once per GPU and timestamp, not for each of its lines.
    if (described.latestGpu !== gpu) {
      described.latestGpu = gpu;
      Object.assign(gpu.inventory, described.inventory);
      if (described.workload !== null) gpu.addWorkload(described.workload);
    }
    return null;
  }

  private gpuOf({ gpuId, latestGpu }: DescribedLabels, atMs: number, format: ExporterFormat): ScrapedGpu {
    if (latestGpu?.atMs === atMs) return latestGpu;
    const key = `${atMs} ${gpuId}`;
    const known = this.gpus.get(key);
    if (known !== undefined) return known;
    const gpu = new ScrapedGpu(gpuId, atMs, format, this.options.xidCatalog);
    this.gpus.set(key, gpu);
    return gpu;
  }

  private describeLabels(format: ExporterFormat, labels: Labels): DescribedLabels | { fault: string } {
    const cached = this.describedLabels.get(labels);
    if (cached !== undefined) return cached;
    const description = format.describe(labels, this.options.hosts ?? {});
    const workload = format.workloadOf?.(labels) ?? null;
    const described =
      'fault' in description
        ? description
        : { ...description, workload, part: format.partOf(labels), latestGpu: null };
    this.describedLabels.set(labels, described);
    return described;
  }

  private finishGpu(gpu: ScrapedGpu): SourceItem[] {
    const { readings, inventory, workloads, xids, lines, rejected, unused } = gpu.resolve();
    const { file } = this;
    for (const { series, lines: count } of unused) this.addIgnored(series, count);
    const items: SourceItem[] = rejected.map(({ line, fault }) => ({
      fault,
      origin: { file, lines: [line] },
    }));
    if (lines.length === 0) return items;
    const identity = { at: new Date(gpu.atMs).toISOString(), gpu_id: gpu.gpuId };
    const records = [
      { kind: 'gpu', ...identity, vendor: this.format?.vendor, hostname: '', ...inventory },
      ...workloads.map((workload) => ({ kind: 'gpu_workload', ...identity, ...workload })),
      ...xids.map((xid) => ({ kind: 'xid_event', gpu_id: gpu.gpuId, ...xid, raise_alert: true })),
      { kind: 'gpu_sample', ...identity, ...readings, raise_alert: true },
    ];
    return [...items, ...readRecords(this.reader, { file, lines }, records)];
  }
}

/** Returns the first format with a series, stored or ignored; undefined if none has it. */
function formatOf(name: string, labels: Labels): ExporterFormat | undefined {
  return EXPORTER_FORMATS.find(
    (format) => format.fieldOf(name, labels) !== undefined || format.isIgnored(name),
  );
}
