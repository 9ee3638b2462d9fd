import type { RecordReader } from '../../records/record-reader.ts';
import type { Line } from '../../run/lines.ts';
import { readRecords, type SourceItem } from '../../run/source.ts';
import { compositeIdOf } from '../exporters/gpu-identity.ts';
import { type StoredRecords, xidKey } from './stored-records.ts';
import type { LocatedMessage } from './locate.ts';
import { Occurrences } from './occurrences.ts';
import type { InitFailureMessage, SxidMessage, XidMessage } from './recognize.ts';
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

  /** Returns the records of a message, or its fault. Its lines count for the last record. */
  record(entry: LocatedEntry, stored: StoredRecords): SourceItem[] {
    const { message } = entry;
    switch (message.kind) {
      case 'xid':
        return this.recordXid(message, entry, stored);
      case 'sxid':
        return this.recordSxid(message, entry);
      case 'init_failure':
        return this.recordInitFailure(message, entry, stored);
    }
  }

  private recordXid(message: XidMessage, entry: LocatedEntry, stored: StoredRecords): SourceItem[] {
    const { at, slot, host, lines } = entry;
    // A line that was imported before keeps its GPU.
    const imported = stored.byXid.get(xidKey({ at, slot, code: message.code }));
    const gpuId = imported ?? knownGpuId(entry, stored) ?? compositeIdOf(host, message.pci);
    const isNew = !stored.byId.has(gpuId) && !this.createdGpus.has(gpuId);
    const occurrence = this.occurrences.next(JSON.stringify([slot, at, message]));
    const event = xidEvent(message, entry, gpuId, { occurrence, sequence: sequenceOf(entry) });
    const items = this.itemsOf(lines, isNew ? [unknownGpu(message, entry, gpuId), event] : [event]);
    // If the records are invalid, the next XID creates the GPU.
    if (items.every((item) => 'record' in item)) this.createdGpus.add(gpuId);
    return items;
  }

  /** A repeated SXid has equal records, which are duplicates. */
  private recordSxid(message: SxidMessage, entry: LocatedEntry): SourceItem[] {
    const alertId = alertIdOf(this.customerId, message, entry);
    const { alert, timelineEvent } = sxidAlert(message, entry, alertId);
    return this.itemsOf(entry.lines, [timelineEvent, alert]);
  }

  /**
   * The alert contains the present inventory of the GPU. A stored one may have another, so it is not written again. The lines count
   * for the timeline event, which is always written.
   */
  private recordInitFailure(
    message: InitFailureMessage,
    entry: LocatedEntry,
    stored: StoredRecords,
  ): SourceItem[] {
    const alertId = alertIdOf(this.customerId, message, entry);
    const gpu = stored.byId.get(knownGpuId(entry, stored) ?? '');
    const { alert, timelineEvent } = initFailureAlert(message, entry, alertId, gpu);
    const isStored = stored.alertIds.has(alertId);
    return this.itemsOf(entry.lines, isStored ? [timelineEvent] : [alert, timelineEvent]);
  }

  private itemsOf(lines: Line[], records: object[]): SourceItem[] {
    return readRecords(this.reader, { file: this.file, lines }, records);
  }
}

/** Returns the GPU whose UUID the driver logged for the slot, otherwise the stored one; undefined without one. */
function knownGpuId({ gpuId, slot }: LocatedEntry, stored: StoredRecords): string | undefined {
  return gpuId ?? stored.bySlot.get(slot)?.gpu_id;
}

/**
 * Returns a number that orders lines with the same time: by microseconds, then by line number. They wrap around after 1,000 seconds
 * and a million lines, so that the number is a safe integer.
 */
function sequenceOf({ line, lines }: LocatedEntry): number {
  return (line.orderMicroseconds % 1e9) * 1e6 + ((lines[0] as Line).number % 1e6);
}
