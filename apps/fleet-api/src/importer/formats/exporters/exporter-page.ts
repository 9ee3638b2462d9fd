import type { RecordReader } from '../../records/record-reader.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';
import { AMD_FORMAT } from '../amd/amd-format.ts';
import { NVIDIA_GPU_EXPORTER_FORMAT } from '../nvidia-gpu-exporter/nvidia-gpu-exporter-format.ts';
import { DCGM_FORMAT } from '../dcgm/dcgm-format.ts';
import { type ExporterField, UTILIZATION_RATIO } from './exporter-field.ts';
import type { ExporterFormat } from './exporter-format.ts';
import type { Attributed, GpuInventory } from '../../records/records.ts';
import { type Labels, ParsedParts, parsePrometheusLine } from './prometheus-line.ts';
import type { Workload } from './workload-labels.ts';
import { ScrapedGpu } from './scraped-gpu.ts';

/** All formats. A page has one of them. */
export const EXPORTER_FORMATS = [DCGM_FORMAT, AMD_FORMAT, NVIDIA_GPU_EXPORTER_FORMAT];

/** Series of the Prometheus client library about the exporter itself. */
const RUNTIME_SERIES = /^(?:go|process|promhttp)_/;
/** Exporters without an adapter, by a pattern of their series. */
const OTHER_EXPORTERS: [series: RegExp, looksLike: string][] = [
  [/^node_/, 'node_exporter, which has no GPUs'],
  [
    /^(?:rocm_smi|amdgpu|amd_smi)_/i,
    'an exporter of AMD GPUs without an adapter: use device-metrics-exporter',
  ],
];

export interface PageOptions {
  /** Host of GPUs without a label for it. */
  host?: string | undefined;
  /** Format of the page; by default that of its first known series. */
  format?: ExporterFormat;
  /** Cache of names and labels, shared with earlier pages. */
  parts?: ParsedParts;
}

interface DescribedLabels {
  gpuId: string;
  inventory: GpuInventory;
  workload: Workload | null;
  part: ReturnType<ExporterFormat['partOf']>;
  /** The GPU that the last line with these labels was added to. */
  latest: ScrapedGpu | null;
}

/**
 * Converts the page of an exporter to records: a `gpu`, its `gpu_workload`s and a `gpu_sample` for each GPU and timestamp. Every line becomes part
 * of a record or is a fault with a reason, which does not affect other lines.
 */
export class ExporterPage {
  private readonly faults: SourceItem[] = [];
  private readonly gpus = new Map<string, ScrapedGpu>();
  private readonly described = new Map<Labels, DescribedLabels | { fault: string }>();

  /** Lines of ignored series, and of fallback fields that are not used. */
  skipped = 0;
  private hasStoredSeries = false;
  /** The first series that is not stored. */
  private otherSeries: string | null = null;

  private format: ExporterFormat | undefined;
  private readonly parts: ParsedParts;

  /** @param at time of lines without a timestamp */
  constructor(
    private readonly file: string,
    private readonly at: Date,
    private readonly reader: RecordReader,
    private readonly options: PageOptions = {},
  ) {
    this.format = options.format;
    this.parts = options.parts ?? new ParsedParts();
  }

  /** Returns what a page without any stored series looks like and how to import it; null for other pages. */
  wrongPage(): string | null {
    if (this.hasStoredSeries) return null;
    const series = this.otherSeries;
    const wanted = this.format?.exporter ?? 'a known exporter';
    if (series === null) return `the page has no series of ${wanted}${lookOf(this.faults[0])}`;
    const format = EXPORTER_FORMATS.find(
      (other) => other.fieldOf(series) !== undefined || other.series.test(series),
    );
    const other = OTHER_EXPORTERS.find(([pattern]) => pattern.test(series))?.[1];
    if (format !== undefined && format !== this.format)
      return `the page has no series of ${wanted} but looks like ${format.exporter}: use the adapter ${format.adapter}`;
    return other === undefined
      ? `the page has no series of ${wanted} (it has ${series.slice(0, 100)})`
      : `the page has no series of ${wanted} but looks like ${other}`;
  }

  add(line: Line): void {
    const fault = line.fault ?? this.addLine(line);
    if (fault !== null) this.faults.push({ fault, origin: { file: this.file, lines: [line] } });
  }

  /** Returns the records and faults of all lines, in time order. */
  read(): SourceItem[] {
    const inTime = [...this.gpus.values()].sort((a, b) => a.atMs - b.atMs);
    return [...this.faults, ...inTime.flatMap((gpu) => this.toItems(gpu))];
  }

  /** @returns the fault of the line, or null */
  private addLine(line: Line): string | null {
    const sample = parsePrometheusLine(line.text, this.parts);
    if (sample === null) return null;
    if ('fault' in sample) return sample.fault;
    this.format ??= EXPORTER_FORMATS.find(
      (known) => known.fieldOf(sample.name) !== undefined || known.isDefaultSeries(sample.name),
    );
    const { format } = this;
    const field = format?.fieldOfLine
      ? format.fieldOfLine(sample.name, sample.labels)
      : format?.fieldOf(sample.name);
    const isInfo = format?.infoSeries === sample.name;
    if (field || isInfo) this.hasStoredSeries = true;
    else this.otherSeries ??= sample.name;
    if (!format || (!field && !isInfo)) {
      if (!RUNTIME_SERIES.test(sample.name) && !format?.isDefaultSeries(sample.name))
        return `${sample.name.slice(0, 100)} is not a stored metric`;
      this.skipped += 1;
      return null;
    }
    const described = this.describe(format, sample.labels);
    if ('fault' in described) return described.fault;
    const value = field ? valueOf(format, field, sample.value) : null;
    if (typeof value === 'string') return `${sample.name} ${value}`;

    const atMs = sample.timestampMs ?? this.at.getTime();
    const gpu =
      described.latest?.atMs === atMs ? described.latest : this.gpuAt(described.gpuId, atMs, format);
    const fault = field ? gpu.add(field, described.part, value, line) : gpu.addInfo(line);
    if (typeof fault === 'string') return fault;
    if (described.latest !== gpu) {
      described.latest = gpu;
      Object.assign(gpu.inventory, described.inventory);
      if (described.workload !== null) gpu.addWorkload(described.workload);
    }
    return null;
  }

  private gpuAt(gpuId: string, atMs: number, format: ExporterFormat): ScrapedGpu {
    const key = `${atMs} ${gpuId}`;
    let gpu = this.gpus.get(key);
    if (gpu === undefined) this.gpus.set(key, (gpu = new ScrapedGpu(gpuId, atMs, format)));
    return gpu;
  }

  /** Returns the GPU, the inventory and the workload in the labels. */
  private describe(format: ExporterFormat, labels: Labels): DescribedLabels | { fault: string } {
    let described = this.described.get(labels);
    if (described === undefined) {
      const gpu = format.describe(labels, this.options.host);
      described =
        'fault' in gpu
          ? gpu
          : {
              ...gpu,
              workload: format.workloadOf?.(labels) ?? null,
              part: format.partOf(labels),
              latest: null,
            };
      this.described.set(labels, described);
    }
    return described;
  }

  private toItems(gpu: ScrapedGpu): SourceItem[] {
    const { readings, inventory, workloads, lines, superseded, unused } = gpu.read();
    const { file } = this;
    this.skipped += unused;
    const items: SourceItem[] = superseded.map(({ line, fault }) => ({
      fault,
      origin: { file, lines: [line] },
    }));
    if (lines.length === 0) return items;
    const about = { at: new Date(gpu.atMs).toISOString(), gpu_id: gpu.gpuId };
    const known = this.reader.read({
      kind: 'gpu',
      ...about,
      vendor: this.format?.vendor,
      hostname: this.options.host ?? '',
      ...inventory,
    });
    const sample = this.reader.read({ kind: 'gpu_sample', ...about, ...readings, raise_alert: true });
    const jobs = workloads.map((workload) =>
      this.reader.read({ kind: 'gpu_workload', ...about, ...workload }),
    );
    // The lines are those of the sample. If the GPU is rejected, so is its sample.
    const records: Attributed[] = [];
    for (const result of [known, ...jobs, sample]) {
      if ('fault' in result) return [...items, { fault: result.fault, origin: { file, lines } }];
      records.push(result.record);
    }
    for (const record of records)
      items.push({ record, origin: { file, lines: record.kind === 'gpu_sample' ? lines : [] } });
    return items;
  }
}

/** Input without a single sample, by its first line. */
const OTHER_INPUT: [line: RegExp, looksLike: string][] = [
  [/^<(?:\?xml|!DOCTYPE nvidia_smi_log|nvidia_smi_log)/, 'XML of nvidia-smi: use the adapter nvidia-smi'],
  [/NVSMI LOG/, 'nvidia-smi -q: import nvidia-smi -q -x with the adapter nvidia-smi'],
  [/^</, 'HTML'],
  [/NVRM: |kernel: |^(?:<\d+>)?\[ *\d+\.\d+\] /, 'a kernel log: use the adapter xid'],
  [/^\{.*"(?:rule|priority)"/, 'Falco: use the adapter falco'],
  [/^\{.*"kind"/, 'records: use the adapter ndjson'],
  [/^[{[]/, 'JSON'],
];

function lookOf(first: SourceItem | undefined): string {
  if (first === undefined || !('fault' in first)) return ': it is empty';
  const { text } = first.origin.lines[0] as Line;
  const looksLike = OTHER_INPUT.find(([pattern]) => pattern.test(text))?.[1];
  return looksLike === undefined ? ` (line 1: ${first.fault})` : ` but looks like ${looksLike}`;
}

/** @returns the value, null when it is blank, or a fault */
function valueOf(format: ExporterFormat, field: ExporterField, reading: number): number | null | string {
  if (format.isBlank(reading, field.whole ?? false)) return null;
  if (reading < field.min || reading > field.max)
    return `of ${reading} is not between ${field.min} and ${field.max}`;
  if (field.scale !== undefined) {
    const decimals = field.whole ? 1 : 1e6;
    return Math.round(reading * field.scale * decimals) / decimals;
  }
  if (field.whole && !Number.isInteger(reading)) return `of ${reading} is not an integer`;
  if (field.number !== UTILIZATION_RATIO) return reading;
  if (reading === 1)
    return 'of 1 is ambiguous: 1 % in one release of DCGM and 100 % in another; export DCGM_FI_DEV_GPU_UTIL';
  return reading > 1 ? reading : Math.round(reading * 1e6) / 1e4;
}
