import { nameUuid } from '../../records/name-uuid.ts';
import type { RecordReader } from '../../records/record-reader.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';
import type { ImportDatabase } from '../../write/import-database.ts';
import { type ClockHints, driversWords, readKernelLine } from './kernel-line.ts';
import { type KnownGpu, readGpus, readGpusOfAlerts, readGpusOfHosts, slotKey } from './known-gpus.ts';
import { type DatedMessage, sxidAlert, unknownGpu, xidAlert, xidEvent } from './xid-records.ts';
import { readXidMessage, type SxidMessage, type XidMessage } from './xid-message.ts';

export interface KernelLogOptions extends Omit<ClockHints, 'nowMs'> {
  customerId: number;
  /** The host of all lines, whatever they say. */
  host: string | null;
}

type Dated = DatedMessage & { line: Line };
type Given = object | null;

/** Alerts that were read and may not be written yet; a batch is smaller. */
const REMEMBERED_ALERTS = 50_000;

/** The lines of one kernel's log, or of several hosts' logs in one, as records. */
export class KernelLog {
  /** Lines about other things, which are neither records nor faults. */
  passedOver = 0;
  /** What the driver said of the boards: their UUIDs by host and PCI address. */
  private readonly boards = new Map<string, string>();
  private readonly alertIds = new Set<string>();
  private readonly toldGpus = new Set<string>();

  constructor(
    private readonly file: string,
    private readonly reader: RecordReader,
    private readonly database: Pick<ImportDatabase, 'query'>,
    private readonly options: KernelLogOptions,
  ) {}

  async read(lines: Line[]): Promise<SourceItem[]> {
    const faults: SourceItem[] = [];
    const dated: (Dated & { gpuId: string | undefined })[] = [];
    for (const line of lines) {
      const found = this.readLine(line);
      if (found === null) this.passedOver += line.text.trim() === '' ? 0 : 1;
      else if (found !== 'told' && 'fault' in found)
        faults.push({ fault: found.fault, origin: this.originOf(line) });
      // The board that is in the slot by now: a later line of these may tell of another.
      else if (found !== 'told') dated.push({ ...found, gpuId: this.boards.get(slotOf(found)) });
    }
    if (dated.length === 0) return faults;
    return [...faults, ...(await this.itemsOf(dated))];
  }

  /** @returns null for a line about something else, `told` for one that was only to be remembered, or what is wrong */
  private readLine(line: Line): Dated | { fault: string } | 'told' | null {
    if (!/Xid|GPU at/.test(line.text)) return null;
    if (line.fault !== undefined) return { fault: line.fault };
    const kernelLine = readKernelLine(line.text, { ...this.options, nowMs: Date.now() });
    const message = readXidMessage('fault' in kernelLine ? driversWords(line.text) : kernelLine.message);
    if (message === null) return null;
    if ('fault' in message) return message;
    if ('fault' in kernelLine) return message.kind === 'board' ? null : kernelLine;
    const host = this.options.host ?? kernelLine.host;
    if (message.kind === 'board') {
      if (host !== null) this.boards.set(slotKey(host, message.pci), message.gpuId);
      return 'told';
    }
    if (host === null) return { fault: 'the line does not say its host: give --host' };
    const at = new Date(kernelLine.atMs).toISOString();
    const identity = [this.options.customerId, slotKey(host, message.pci), at, message.code];
    // As an event is one of its GPU, time and code, so is its alert; a switch's errors differ by their links.
    const alertId = nameUuid(message.kind, ...identity, message.kind === 'sxid' ? message.text : '');
    return { message, host, at, alertId, line };
  }

  private async itemsOf(dated: (Dated & { gpuId: string | undefined })[]): Promise<SourceItem[]> {
    const { database } = this;
    const { customerId } = this.options;
    const bySlot = await readGpusOfHosts(
      database,
      customerId,
      dated.map(({ host }) => host),
    );
    const alerts = dated.map(({ alertId: id, at }) => ({ id, atMs: Date.parse(at) }));
    const imported = await readGpusOfAlerts(database, customerId, alerts);
    const wanted = [...dated.map(({ gpuId }) => gpuId), ...imported.values()];
    const byId = await readGpus(
      database,
      customerId,
      wanted.filter((gpuId) => typeof gpuId === 'string'),
    );
    for (const gpu of bySlot.values()) byId.set(gpu.gpu_id, gpu);

    return dated.flatMap(({ line, gpuId, ...one }) => {
      if (isSxid(one)) return this.itemsOfLine(line, sxidAlert(one).reverse());
      const isKnown = imported.has(one.alertId) || this.alertIds.has(one.alertId);
      this.remember(one.alertId);
      const xid = one as DatedMessage<XidMessage>;
      // A line that was imported before is of the GPU that it was of then.
      const id =
        imported.get(one.alertId) ??
        gpuId ??
        bySlot.get(slotOf(one))?.gpu_id ??
        `${one.host}|${one.message.pci}|`;
      const items = this.itemsOfLine(line, this.xidRecords(xid, id, byId.get(id), isKnown));
      if (items.every((item) => 'record' in item)) this.toldGpus.add(id);
      return items;
    });
  }

  private xidRecords(
    xid: DatedMessage<XidMessage>,
    gpuId: string,
    gpu: KnownGpu | undefined,
    isKnown: boolean,
  ): Given[] {
    const isNew = gpu === undefined && !this.toldGpus.has(gpuId);
    const [alert, timelineEvent] = (isKnown ? null : xidAlert(xid, gpuId, gpu)) ?? [null, null];
    return [isNew ? unknownGpu(xid, gpuId) : null, timelineEvent, alert, xidEvent(xid, gpuId)];
  }

  /** The line's records; the last of them answers for the line. */
  private itemsOfLine(line: Line, given: Given[]): SourceItem[] {
    const items: SourceItem[] = [];
    const records = given.filter((record) => record !== null);
    for (const [index, record] of records.entries()) {
      const read = this.reader.read(record);
      if ('fault' in read) return [{ fault: read.fault, origin: this.originOf(line) }];
      const answers = index === records.length - 1;
      items.push({
        record: read.record,
        origin: answers ? this.originOf(line) : { file: this.file, lines: [] },
      });
    }
    return items;
  }

  private remember(alertId: string): void {
    this.alertIds.add(alertId);
    for (const oldest of this.alertIds) {
      if (this.alertIds.size <= REMEMBERED_ALERTS) break;
      this.alertIds.delete(oldest);
    }
  }

  private originOf(line: Line) {
    return { file: this.file, lines: [line] };
  }
}

function slotOf({ host, message }: DatedMessage): string {
  return slotKey(host, message.pci);
}

function isSxid(dated: DatedMessage): dated is DatedMessage<SxidMessage> {
  return dated.message.kind === 'sxid';
}
