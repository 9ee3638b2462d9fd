import type { RecordReader } from '../records/record-reader.ts';
import type { Attributed } from '../records/records.ts';
import type { Origin } from '../write/batch.ts';

/** A record read from a source, or lines that are not a valid record. */
export type SourceItem = { record: Attributed; origin: Origin } | { fault: string; origin: Origin };

/** Validates the records of lines, which belong to the last record. If one of them is invalid, the lines are a fault. */
export function readRecords(reader: RecordReader, origin: Origin, records: readonly object[]): SourceItem[] {
  const items: SourceItem[] = [];
  for (const [index, record] of records.entries()) {
    const read = reader.read(record);
    if ('fault' in read) return [{ fault: read.fault, origin }];
    const isLast = index === records.length - 1;
    items.push({ record: read.record, origin: isLast ? origin : { file: origin.file, lines: [] } });
  }
  return items;
}
