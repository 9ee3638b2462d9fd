import type { RecordReader } from '../records/record-reader.ts';
import type { Attributed } from '../records/records.ts';
import type { Origin } from '../write/batch.ts';

/** A record with the lines that it was read from, or the fault of lines that are not a valid record. */
export type SourceItem = { record: Attributed; origin: Origin } | { fault: string; origin: Origin };

/** Validates records that come from the same lines. The lines are counted for the last one. If a record is invalid, they are a fault. */
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
