import type { RecordReader } from '../../records/record-reader.ts';
import type { Line } from '../../run/lines.ts';
import { readRecords, type SourceItem } from '../../run/source.ts';
import { type StoredRecords, xidKey } from './stored-records.ts';
import type { LocatedMessage } from './locate.ts';
import { Occurrences } from './occurrences.ts';
import type { XidMessage } from './recognize.ts';
import { alertIdOf, initFailureAlert, sxidAlert, unknownGpu, xidEvent } from './xid-records.ts';

/** A message with the lines of its entry. */
export interface LocatedEntry extends LocatedMessage {
  lines: Line[];
}

/** Fifth stage: converts messages to records. */
export class Recorder {
  private readonly createdGpus = new Set<string>();
  private readonly occurrences = new Occurrences();

  constructor(
    private readonly file: string,
    private readonly reader: RecordReader,
    private readonly customerId: number,
  ) {}

  /** Returns the records of a message, or its fault. Its lines belong to the last record. */
  record(entry: LocatedEntry, stored: StoredRecords): SourceItem[] {
    const { message, lines } = entry;
    if (message.kind === 'xid') return this.recordXid(message, entry, stored);
    const alertId = alertIdOf(this.customerId, message, entry);
    if (message.kind === 'sxid') {
      const { alert, timelineEvent } = sxidAlert(message, entry, alertId);
      return this.itemsOf(lines, [timelineEvent, alert]);
    }
    const gpuId = entry.gpuId ?? stored.bySlot.get(entry.slot)?.gpu_id;
    const gpu = stored.byId.get(gpuId ?? '');
    const { alert, timelineEvent } = initFailureAlert(message, entry, alertId, gpu);
    // A stored alert is not written again: it contains the inventory of the GPU at that time.
    return this.itemsOf(lines, stored.alertIds.has(alertId) ? [timelineEvent] : [alert, timelineEvent]);
  }

  private recordXid(message: XidMessage, entry: LocatedEntry, stored: StoredRecords): SourceItem[] {
    const { at, slot, host, lines } = entry;
    // A line that was imported before keeps its GPU.
    const imported = stored.byXid.get(xidKey({ at, slot, code: message.code }));
    const gpuId = imported ?? entry.gpuId ?? stored.bySlot.get(slot)?.gpu_id ?? `${host}|${message.pci}|`;
    const isNew = !stored.byId.has(gpuId) && !this.createdGpus.has(gpuId);
    const occurrence = this.occurrences.next(JSON.stringify([slot, at, message]));
    const event = xidEvent(message, entry, gpuId, { occurrence, sequence: sequenceOf(entry) });
    const items = this.itemsOf(lines, isNew ? [unknownGpu(message, entry, gpuId), event] : [event]);
    if (items.every((item) => 'record' in item)) this.createdGpus.add(gpuId);
    return items;
  }

  private itemsOf(lines: Line[], records: object[]): SourceItem[] {
    return readRecords(this.reader, { file: this.file, lines }, records);
  }
}

/**
 * Returns a number that orders lines with the same time: by the kernel's microseconds, then by line number. They wrap around after
 * 1,000 seconds and a million lines.
 */
function sequenceOf({ line, lines }: LocatedEntry): number {
  return (line.stampMicroseconds % 1e9) * 1e6 + ((lines[0] as Line).number % 1e6);
}
