import type { FileJob } from '../../run/file-job.ts';
import { importLines } from '../../run/import-lines.ts';
import type { SourceItem } from '../../run/source.ts';
import { UnreadableInput } from '../../run/unreadable-input.ts';
import { adviceOn, diagnoseInput } from '../diagnose-input.ts';
import { SmiConverter, type SmiOptions } from './smi-converter.ts';
import { SmiDocuments } from './smi-documents.ts';

/** Imports the output of `nvidia-smi -q -x`: one document, or several with `-l`. */
export async function importNvidiaSmi(job: FileJob, options: SmiOptions): Promise<void> {
  const documents = new SmiDocuments();
  const converter = new SmiConverter(job, options);
  await importLines(job, async (lines) => {
    const items: SourceItem[] = [];
    for (const input of lines.flatMap((line) => documents.add(line)))
      items.push(...(await converter.itemsOf(input)));
    return items;
  });
  // After a signal the last document is incomplete: it is imported when the same input is imported again.
  if (job.interruption.signal !== null) return;
  for (const input of documents.end()) await job.run.add(await converter.itemsOf(input));
  if (!documents.isRecognized) {
    const input = diagnoseInput(documents.firstText);
    const advice =
      input === null ? ': import the output of nvidia-smi -q -x' : ` but looks like ${adviceOn(input)}`;
    throw new UnreadableInput(`${job.file}: the file has no XML${advice}.`);
  }
}
