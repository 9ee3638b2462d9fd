import { clip } from '../../records/clip.ts';
import { NAME_LENGTH } from '../../records/limits.ts';
import type { FileJob } from '../../run/file-job.ts';
import type { Line } from '../../run/lines.ts';
import { readRecords, type SourceItem } from '../../run/source.ts';
import { compositeIdOf } from '../exporters/gpu-identity.ts';
import { KnownGpus } from './known-gpus.ts';
import { ProcessStarts } from './process-starts.ts';
import type { SmiInput } from './smi-documents.ts';
import { elementsAt, parseSmiDocument, textAt } from './smi-element.ts';
import { readSmiGpu, type SmiGpu } from './smi-gpu.ts';
import { LOST_GPU } from './smi-readings.ts';
import { smiTime } from './smi-time.ts';

export interface SmiOptions {
  customerId: number;
  /** Host of the GPUs, which the output does not include. */
  host: string;
  /** Time of the readings; null: the timestamp of the document. */
  at: Date | null;
  /** Offset of the document's timestamp, which has no zone. */
  utcOffsetMinutes: number;
}

/** Converts the parts of a file to records. */
export class SmiConverter {
  private readonly starts: ProcessStarts;
  private readonly knownGpus: KnownGpus;

  constructor(
    private readonly job: Pick<FileJob, 'file' | 'reader' | 'database'>,
    private readonly options: SmiOptions,
  ) {
    this.starts = new ProcessStarts(job.database, options.customerId);
    this.knownGpus = new KnownGpus(job.database, options);
  }

  async itemsOf(input: SmiInput): Promise<SourceItem[]> {
    if ('document' in input) return this.documentItems(input.document);
    if ('lost' in input) return this.lostGpuItems(input.lost, input.line);
    return [this.faultAt(input.line, input.fault)];
  }

  private async documentItems(lines: [Line, ...Line[]]): Promise<SourceItem[]> {
    const parsed = parseSmiDocument(lines.map(({ text }) => text).join('\n'));
    if ('fault' in parsed) return [this.faultAt(lines[0], parsed.fault)];
    const { root } = parsed;
    const at = this.options.at ?? smiTime(textAt(root, 'timestamp'), this.options.utcOffsetMinutes);
    if (at === null) return [this.faultAt(lines[0], 'the document has no valid timestamp: set --at')];
    const gpus = elementsAt(root, 'gpu').map((gpu) => readSmiGpu(root, gpu, this.options.host));
    await this.starts.load(gpus);
    await this.identify(gpus);
    const gpuLines = lines.filter(({ text }) => /<gpu\b/.test(text));
    return gpus.flatMap((gpu, index) => this.gpuItems(gpu, at.toISOString(), gpuLines[index] ?? lines[0]));
  }

  /** Sets the ids of GPUs without a UUID because of a driver error to those of the known GPUs at their PCI addresses. */
  private async identify(gpus: SmiGpu[]): Promise<void> {
    for (const gpu of gpus) {
      if (gpu.isUnidentified) gpu.gpuId = (await this.knownGpus.idAt(gpu.pci)) ?? gpu.gpuId;
      this.knownGpus.add(gpu.pci, gpu.gpuId);
    }
  }

  private gpuItems(gpu: SmiGpu, at: string, line: Line): SourceItem[] {
    const identity = { at, gpu_id: gpu.gpuId };
    const records = [
      { kind: 'gpu', ...identity, ...gpu.inventory },
      ...gpu.processes.map(({ pid, name, memoryUsedMib }) => ({
        kind: 'gpu_process',
        ...identity,
        pid,
        started_at: this.starts.startOf(gpu.gpuId, pid, name, at),
        name: clip(name, NAME_LENGTH),
        memory_used_mib: memoryUsedMib,
      })),
      // Last, because the last record gets the line number.
      { kind: 'gpu_sample', ...identity, ...gpu.readings },
    ];
    return readRecords(this.job.reader, { file: this.job.file, lines: [line] }, records).map((item) =>
      'fault' in item ? { ...item, fault: `GPU ${gpu.gpuId}: ${item.fault}` } : item,
    );
  }

  /** Returns the records of a GPU that the driver has lost, as of --at or now: the line has no time. */
  private async lostGpuItems(pci: string, line: Line): Promise<SourceItem[]> {
    const { host, at } = this.options;
    const knownId = await this.knownGpus.idAt(pci);
    const identity = { at: (at ?? new Date()).toISOString(), gpu_id: knownId ?? compositeIdOf(host, pci) };
    this.knownGpus.add(pci, identity.gpu_id);
    const inventory = { kind: 'gpu', ...identity, vendor: 'NVIDIA', hostname: host, pcie_address: pci };
    const sample = { kind: 'gpu_sample', ...identity, ...LOST_GPU };
    const records = knownId === null ? [inventory, sample] : [sample];
    return readRecords(this.job.reader, { file: this.job.file, lines: [line] }, records);
  }

  private faultAt(line: Line, fault: string): SourceItem {
    return { fault, origin: { file: this.job.file, lines: [line] } };
  }
}
