import { clip } from '../../records/clip.ts';
import { NAME_LENGTH } from '../../records/limits.ts';
import type { FileJob } from '../../run/file-job.ts';
import { importLines } from '../../run/import-lines.ts';
import type { Line } from '../../run/lines.ts';
import { readRecords, type SourceItem } from '../../run/source.ts';
import { UnreadableInput } from '../../run/unreadable-input.ts';
import { adviceOn, diagnoseInput } from '../diagnose-input.ts';
import { KnownGpus } from './known-gpus.ts';
import { ProcessStarts } from './process-starts.ts';
import { SmiDocuments, type SmiInput } from './smi-documents.ts';
import { elementsAt, parseSmiDocument, textAt } from './smi-element.ts';
import { LOST_GPU, readSmiGpu, smiTime } from './smi-records.ts';

export interface SmiOptions {
  customerId: number;
  /** Host of the GPUs, which the output does not include. */
  host: string;
  /** Time of the readings; null: the timestamp of the document. */
  at: Date | null;
  /** Offset of the document's timestamp, which has no zone. */
  utcOffsetMinutes: number;
}

/** Imports the output of `nvidia-smi -q -x`: one document, or several with `-l`. */
export async function importNvidiaSmi(job: FileJob, options: SmiOptions): Promise<void> {
  const documents = new SmiDocuments();
  const starts = new ProcessStarts(job.database, options.customerId);
  const known = new KnownGpus(job.database, options);
  const read = async (input: SmiInput): Promise<SourceItem[]> => {
    if ('document' in input) return itemsOf(job, input.document, options, { starts, known });
    if ('lost' in input) return lostItems(job, input, options, known);
    return [{ fault: input.fault, origin: { file: job.file, lines: [input.line] } }];
  };
  await importLines(job, async (lines) => {
    const items: SourceItem[] = [];
    for (const line of lines) for (const input of documents.add(line)) items.push(...(await read(input)));
    return items;
  });
  // After a signal the last document is incomplete: it is imported when the same input is imported again.
  if (job.interruption.signal !== null) return;
  for (const input of documents.end()) await job.run.add(await read(input));
  if (!documents.isRecognized) {
    const input = diagnoseInput(documents.firstText);
    const looksLike =
      input === null ? ': import the output of nvidia-smi -q -x' : ` but looks like ${adviceOn(input)}`;
    throw new UnreadableInput(`${job.file}: the file has no XML${looksLike}.`);
  }
}

async function itemsOf(
  { file, reader }: FileJob,
  document: [Line, ...Line[]],
  options: SmiOptions,
  { starts, known }: { starts: ProcessStarts; known: KnownGpus },
): Promise<SourceItem[]> {
  const faulty = (fault: string): SourceItem[] => [{ fault, origin: { file, lines: [document[0]] } }];
  const root = parseSmiDocument(document.map(({ text }) => text).join('\n'));
  if ('fault' in root) return faulty(root.fault as string);
  const at = options.at ?? smiTime(textAt(root, 'timestamp'), options.utcOffsetMinutes);
  if (at === null) return faulty('the document has no valid timestamp: set --at');
  const time = at.toISOString();

  const gpus = elementsAt(root, 'gpu').map((gpu) => readSmiGpu(root, gpu, options.host));
  const begins = document.filter(({ text }) => /<gpu\b/.test(text));
  await starts.load(gpus);
  for (const gpu of gpus) {
    if (gpu.isUnidentified) gpu.gpuId = (await known.at(gpu.pci)) ?? gpu.gpuId;
    known.add(gpu.pci, gpu.gpuId);
  }
  return gpus.flatMap((gpu, index) => {
    const about = { at: time, gpu_id: gpu.gpuId };
    const records = [
      { kind: 'gpu', ...about, ...gpu.inventory },
      ...gpu.processes.map(({ pid, name, memoryUsedMib }) => ({
        kind: 'gpu_process',
        ...about,
        pid,
        started_at: starts.of(gpu.gpuId, pid, name, time),
        name: clip(name, NAME_LENGTH),
        memory_used_mib: memoryUsedMib,
      })),
      // Last, because the last record gets the line number.
      { kind: 'gpu_sample', ...about, ...gpu.readings },
    ];
    const origin = { file, lines: [begins[index] ?? document[0]] };
    return readRecords(reader, origin, records).map((item) =>
      'fault' in item ? { ...item, fault: `GPU ${gpu.gpuId}: ${item.fault}` } : item,
    );
  });
}

/** Returns the records of a GPU that nvidia-smi does not reach, as of --at or now: the line has no time. */
async function lostItems(
  { file, reader }: FileJob,
  { lost: pci, line }: { lost: string; line: Line },
  { host, at }: SmiOptions,
  known: KnownGpus,
): Promise<SourceItem[]> {
  const gpuId = await known.at(pci);
  const about = { at: (at ?? new Date()).toISOString(), gpu_id: gpuId ?? `${host}|${pci}|` };
  known.add(pci, about.gpu_id);
  const inventory = { kind: 'gpu', ...about, vendor: 'NVIDIA', hostname: host, pcie_address: pci };
  const records = [...(gpuId === null ? [inventory] : []), { kind: 'gpu_sample', ...about, ...LOST_GPU }];
  return readRecords(reader, { file, lines: [line] }, records);
}
