import { memoryFault } from '../../records/memory-fault.ts';
import type { RecordReader, ReadResult } from '../../records/record-reader.ts';
import type { FileJob } from '../../run/file-job.ts';
import { importLines } from '../../run/import-lines.ts';
import { parseJsonLine } from '../../run/json-line.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';

/** Imports a file or stream of NDJSON. */
export function importNdjson(job: FileJob): Promise<void> {
  return importLines(job, (lines) => ndjsonRecords(job.file, lines, job.reader));
}

/** Parses one record per line; blank lines are skipped. An invalid line does not affect the others. */
export function ndjsonRecords(file: string, lines: Line[], reader: RecordReader): SourceItem[] {
  const items: SourceItem[] = [];
  for (const line of lines) {
    if (line.text.trim() === '') continue;
    const origin = { file, lines: [line] };
    const json = parseJsonLine(line);
    const result = 'fault' in json ? json : withMemoryFault(reader.read(json.value));
    items.push('record' in result ? { record: result.record, origin } : { fault: result.fault, origin });
  }
  return items;
}

/** Returns the result, or a fault if the memory readings of the record contradict each other. */
function withMemoryFault(result: ReadResult): ReadResult {
  const fault = 'fault' in result ? null : memoryFault(result.record);
  return fault === null ? result : { fault };
}
