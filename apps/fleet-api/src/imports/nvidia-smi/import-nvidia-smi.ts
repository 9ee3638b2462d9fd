import { OperationRefused } from '@gpu-observatory/service-runtime';
import { clip } from '../records/clip.ts';
import { NAME_LENGTH } from '../records/limits.ts';
import type { FileJob } from '../running/import-files.ts';
import { importLines } from '../running/import-lines.ts';
import type { Line } from '../running/lines.ts';
import type { SourceItem } from '../running/source.ts';
import { ProcessStarts } from './process-starts.ts';
import { elementsAt, parseSmiDocument, textAt } from './smi-element.ts';
import { readSmiGpu, smiTime } from './smi-records.ts';

export interface SmiOptions {
  customerId: number;
  /** The host whose GPUs they are: the output does not say. */
  host: string;
  /** The time of the readings; the document's own where it is not given. */
  at: Date | null;
  /** Of the document's own time, which has no zone. */
  utcOffsetMinutes: number;
}

/** Sixteen GPUs are half a megabyte. */
const LARGEST_DOCUMENT_BYTES = 64 * 1024 * 1024;
const END = '</nvidia_smi_log>';

/** Imports what `nvidia-smi -q -x` wrote, once or (`-l`) again and again. */
export async function importNvidiaSmi(job: FileJob, options: SmiOptions): Promise<void> {
  let document: Line[] = [];
  let characters = 0;
  const starts = new ProcessStarts(job.database, options.customerId);
  await importLines(job, async (lines) => {
    const items: SourceItem[] = [];
    for (const line of lines) {
      if (document.length === 0 && line.text.trim() === '') continue;
      if (document.length === 0 && !line.text.trimStart().startsWith('<')) throw plainText(job.file);
      document.push(line);
      characters += line.text.length;
      if (characters > LARGEST_DOCUMENT_BYTES)
        throw new OperationRefused(`${job.file} is longer than it can be (${LARGEST_DOCUMENT_BYTES} bytes)`);
      if (!line.text.includes(END)) continue;
      items.push(...(await itemsOf(job, document, options, starts)));
      document = [];
      characters = 0;
    }
    return items;
  });
  if (document.length > 0 && job.interruption.signal === null) {
    const fault = `the document does not end: ${END} is missing`;
    await job.run.take([{ fault, origin: { file: job.file, lines: document.slice(0, 1) } }]);
  }
}

async function itemsOf(
  { file, reader }: FileJob,
  document: Line[],
  options: SmiOptions,
  starts: ProcessStarts,
): Promise<SourceItem[]> {
  const faulty = (line: Line | undefined, fault: string): SourceItem => ({
    fault,
    origin: { file, lines: [(line ?? document[0]) as Line] },
  });
  const root = parseSmiDocument(document.map(({ text }) => text).join('\n'));
  if ('fault' in root) return [faulty(undefined, root.fault as string)];
  const at = options.at ?? smiTime(textAt(root, 'timestamp'), options.utcOffsetMinutes);
  if (at === null) return [faulty(undefined, 'the timestamp is no time: give --at')];
  const time = at.toISOString();

  const gpus = elementsAt(root, 'gpu').map((gpu) => readSmiGpu(root, gpu, options.host));
  const begins = document.filter(({ text }) => /<gpu\b/.test(text));
  await starts.load(gpus);
  return gpus.flatMap((gpu, index): SourceItem[] => {
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
      // The sample answers for the GPU.
      { kind: 'gpu_sample', ...about, ...gpu.readings },
    ];
    const line = begins[index] ?? (document[0] as Line);
    const items: SourceItem[] = [];
    for (const [position, record] of records.entries()) {
      const read = reader.read(record);
      if ('fault' in read) return [faulty(line, `GPU ${gpu.gpuId}: ${read.fault}`)];
      items.push({
        record: read.record,
        origin: { file, lines: position === records.length - 1 ? [line] : [] },
      });
    }
    return items;
  });
}

function plainText(file: string): OperationRefused {
  return new OperationRefused(
    `${file} is not XML: nvidia-smi writes XML with -x, so give what nvidia-smi -q -x writes, not nvidia-smi -q`,
  );
}
