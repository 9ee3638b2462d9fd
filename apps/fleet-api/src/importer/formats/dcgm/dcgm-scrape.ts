import type { RecordReader } from '../../records/record-reader.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';
import { isBlank } from './blank.ts';
import { type DcgmField, FIELD_BY_NAME, UTILIZATION_RATIO } from './dcgm-fields.ts';
import { gpuIdentity, inventoryOf } from './gpu-labels.ts';
import type { GpuInventory } from '../../records/records.ts';
import { type Labels, parsePrometheusLine, type PrometheusSample } from './prometheus-line.ts';
import { ScrapedGpu } from './scraped-gpu.ts';

/** Other exporters, by a pattern of their series. */
const OTHER_EXPORTERS: [series: RegExp, looksLike: string][] = [
  [
    /^nvidia_smi_/,
    ' but looks like nvidia_gpu_exporter: import the output of nvidia-smi -q -x with the nvidia-smi adapter',
  ],
  [
    /^(?:amd_)?gpu_|^amd_/,
    ' but looks like an exporter of AMD GPUs, which no adapter reads: send NDJSON records with the ndjson adapter',
  ],
  [/^node_/, ' but looks like node_exporter, which has no GPUs: import the page of dcgm-exporter'],
];

/**
 * Converts a dcgm-exporter scrape to records: a `gpu` and a `gpu_sample` for each GPU and timestamp. Every line becomes part
 * of a record or is a fault with a reason, which does not affect other lines.
 */
export class DcgmScrape {
  private readonly faults: SourceItem[] = [];
  private readonly gpus = new Map<string, ScrapedGpu>();
  private readonly labels = new Map<string, Labels>();
  private readonly described = new Map<
    Labels,
    { gpuId: string; inventory: GpuInventory } | { fault: string }
  >();

  private hasStoredSeries = false;
  /** The first series that is not stored. */
  private otherSeries: string | null = null;

  /**
   * @param at time of lines without a timestamp
   * @param host host of GPUs without a Hostname label
   */
  constructor(
    private readonly file: string,
    private readonly at: Date,
    private readonly reader: RecordReader,
    private readonly host?: string,
  ) {}

  /** Returns what a page without any stored series looks like and how to import it; null for other pages. */
  wrongPage(): string | null {
    if (this.hasStoredSeries || this.otherSeries === null) return null;
    const [, looksLike] = OTHER_EXPORTERS.find(([pattern]) => pattern.test(this.otherSeries as string)) ?? [];
    return `the page has no series of dcgm-exporter${looksLike ?? ` (it has ${this.otherSeries.slice(0, 100)}): import the page of dcgm-exporter`}`;
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
    const sample = parsePrometheusLine(line.text, this.labels);
    if (sample === null) return null;
    if ('fault' in sample) return sample.fault;
    const field = FIELD_BY_NAME.get(sample.name);
    if (field) this.hasStoredSeries = true;
    else this.otherSeries ??= sample.name;
    if (!field) return `${sample.name.slice(0, 100)} is not a stored metric`;
    const described = this.describe(sample.labels);
    if ('fault' in described) return described.fault;
    const { gpuId, inventory } = described;
    const value = valueOf(field, sample.value);
    if (typeof value === 'string') return `${sample.name} ${value}`;

    const atMs = sample.timestampMs ?? this.at.getTime();
    const key = `${atMs} ${gpuId}`;
    const gpu = this.gpus.get(key) ?? new ScrapedGpu(gpuId, atMs);
    const fault = gpu.add(field, migInstance(sample), value, line);
    if (fault !== null) return fault;
    this.gpus.set(key, gpu);
    Object.assign(gpu.inventory, inventory);
    if (sample.labels.GPU_I_ID) gpu.inventory.mig_enabled = true;
    return null;
  }

  /** Returns the GPU and the inventory in the labels. */
  private describe(labels: Labels): { gpuId: string; inventory: GpuInventory } | { fault: string } {
    let described = this.described.get(labels);
    if (described === undefined) {
      const hasHost = this.host === undefined || Boolean(labels.Hostname ?? labels.hostname);
      const completed: Labels = hasHost ? labels : { ...labels, Hostname: this.host };
      const identity = gpuIdentity(completed);
      described = 'fault' in identity ? identity : { ...identity, ...inventoryOf(completed) };
      this.described.set(labels, described);
    }
    return described;
  }

  private toItems(gpu: ScrapedGpu): SourceItem[] {
    const { readings, inventory, lines, superseded } = gpu.read();
    const { file } = this;
    const items: SourceItem[] = superseded.map(({ line, fault }) => ({
      fault,
      origin: { file, lines: [line] },
    }));
    if (lines.length === 0) return items;
    const about = { at: new Date(gpu.atMs).toISOString(), gpu_id: gpu.gpuId };
    const known = this.reader.read({ kind: 'gpu', ...about, vendor: 'NVIDIA', hostname: '', ...inventory });
    const sample = this.reader.read({ kind: 'gpu_sample', ...about, ...readings, raise_alert: true });
    // The lines are those of the sample. If the GPU is rejected, so is its sample.
    if ('fault' in known) items.push({ fault: known.fault, origin: { file, lines } });
    else if ('fault' in sample) items.push({ fault: sample.fault, origin: { file, lines } });
    else {
      items.push({ record: known.record, origin: { file, lines: [] } });
      items.push({ record: sample.record, origin: { file, lines } });
    }
    return items;
  }
}

/** @returns the value, null when it is blank, or a fault */
function valueOf(field: DcgmField, value: number): number | null | string {
  if (isBlank(value, field.whole ?? false)) return null;
  if (value < field.min || value > field.max)
    return `of ${value} is not between ${field.min} and ${field.max}`;
  if (field.whole && !Number.isInteger(value)) return `of ${value} is not an integer`;
  if (field.number !== UTILIZATION_RATIO) return value;
  if (value === 1)
    return 'of 1 is ambiguous: 1 % in one release of DCGM and 100 % in another; export DCGM_FI_DEV_GPU_UTIL';
  return value > 1 ? value : Math.round(value * 1e6) / 1e4;
}

function migInstance({ labels }: PrometheusSample): { instance: string; slices: number } {
  return {
    instance: labels.GPU_I_ID ?? '',
    slices: Number.parseInt(labels.GPU_I_PROFILE ?? '1', 10) || 1,
  };
}
