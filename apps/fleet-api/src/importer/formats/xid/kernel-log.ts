import { nameUuid } from '../../records/name-uuid.ts';
import type { RecordReader } from '../../records/record-reader.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';
import type { ImportDatabase } from '../../write/import-database.ts';
import { type ClockHints, driverText, readKernelLine } from './kernel-line.ts';
import { type KnownGpu, readGpus, readGpusOfAlerts, readGpusOfHosts, slotKey } from './known-gpus.ts';
import { type DatedMessage, sxidAlert, unknownGpu, xidAlert, xidEvent } from './xid-records.ts';
import { readXidMessage, type SxidMessage, type XidMessage } from './xid-message.ts';

export interface KernelLogOptions extends Omit<ClockHints, 'nowMs'> {
  customerId: number;
  /** Host of all lines; null: the host in the line. */
  host: string | null;
}

type Dated = DatedMessage & { line: Line };
type OptionalRecord = object | null;

/** Alerts that were read but may not be written yet; more than a batch. */
const MAX_CACHED_ALERTS = 50_000;

/** Converts the lines of a kernel log, of one host or several, to records. */
export class KernelLog {
  /** Lines about other subjects. */
  skipped = 0;
  /** UUIDs that the driver logged, by host and PCI address. */
  private readonly boards = new Map<string, string>();
  private readonly alertIds = new Set<string>();
  private readonly createdGpus = new Set<string>();

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
      if (found === null) this.skipped += line.text.trim() === '' ? 0 : 1;
      else if (found !== 'board' && 'fault' in found)
        faults.push({ fault: found.fault, origin: this.originOf(line) });
      // Looked up now: a later line may report another board in the slot.
      else if (found !== 'board') dated.push({ ...found, gpuId: this.boards.get(slotOf(found)) });
    }
    if (dated.length === 0) return faults;
    return [...faults, ...(await this.itemsOf(dated))];
  }

  /** @returns the message, null for a line about another subject, `board` for the UUID of a board, or a fault */
  private readLine(line: Line): Dated | { fault: string } | 'board' | null {
    if (!/Xid|GPU at/.test(line.text)) return null;
    if (line.fault !== undefined) return { fault: line.fault };
    const kernelLine = readKernelLine(line.text, { ...this.options, nowMs: Date.now() });
    const message = readXidMessage('fault' in kernelLine ? driverText(line.text) : kernelLine.message);
    if (message === null) return null;
    if ('fault' in message) return message;
    if ('fault' in kernelLine) return message.kind === 'board' ? null : kernelLine;
    const host = this.options.host ?? kernelLine.host;
    if (message.kind === 'board') {
      if (host !== null) this.boards.set(slotKey(host, message.pci), message.gpuId);
      return 'board';
    }
    if (host === null) return { fault: 'the line has no host: set --host' };
    const at = new Date(kernelLine.atMs).toISOString();
    const identity = [this.options.customerId, slotKey(host, message.pci), at, message.code];
    // An alert is identified like its event, by GPU, time and code; errors of a switch differ by their links.
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
      this.addAlert(one.alertId);
      const xid = one as DatedMessage<XidMessage>;
      // A line that was imported before belongs to the same GPU as then.
      const id =
        imported.get(one.alertId) ??
        gpuId ??
        bySlot.get(slotOf(one))?.gpu_id ??
        `${one.host}|${one.message.pci}|`;
      const items = this.itemsOfLine(line, this.xidRecords(xid, id, byId.get(id), isKnown));
      if (items.every((item) => 'record' in item)) this.createdGpus.add(id);
      return items;
    });
  }

  private xidRecords(
    xid: DatedMessage<XidMessage>,
    gpuId: string,
    gpu: KnownGpu | undefined,
    isKnown: boolean,
  ): OptionalRecord[] {
    const isNew = gpu === undefined && !this.createdGpus.has(gpuId);
    const [alert, timelineEvent] = (isKnown ? null : xidAlert(xid, gpuId, gpu)) ?? [null, null];
    return [isNew ? unknownGpu(xid, gpuId) : null, timelineEvent, alert, xidEvent(xid, gpuId)];
  }

  /** Validates the records of a line. The line belongs to the last of them. */
  private itemsOfLine(line: Line, candidates: OptionalRecord[]): SourceItem[] {
    const items: SourceItem[] = [];
    const records = candidates.filter((record) => record !== null);
    for (const [index, record] of records.entries()) {
      const read = this.reader.read(record);
      if ('fault' in read) return [{ fault: read.fault, origin: this.originOf(line) }];
      const isLast = index === records.length - 1;
      items.push({
        record: read.record,
        origin: isLast ? this.originOf(line) : { file: this.file, lines: [] },
      });
    }
    return items;
  }

  private addAlert(alertId: string): void {
    this.alertIds.add(alertId);
    for (const oldest of this.alertIds) {
      if (this.alertIds.size <= MAX_CACHED_ALERTS) break;
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
