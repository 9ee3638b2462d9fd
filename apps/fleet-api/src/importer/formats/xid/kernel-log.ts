import { xidVariantKey } from '../../../model/health/xid-variant.ts';
import { nameUuid } from '../../records/name-uuid.ts';
import type { RecordReader } from '../../records/record-reader.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';
import type { ImportDatabase } from '../../write/import-database.ts';
import { type LogEntry, LogUnwrapper } from '../../run/log-unwrapper.ts';
import { DmesgJson, RelativeClock } from './dmesg-formats.ts';
import {
  type ClockHints,
  driverText,
  type KernelLine,
  readKernelLine,
  searchableText,
} from './kernel-line.ts';
import {
  type KnownGpu,
  readGpus,
  readGpusOfAlerts,
  readGpusOfHosts,
  readXidTimes,
  slotKey,
} from './known-gpus.ts';
import {
  type AlertedMessage,
  type DatedMessage,
  initFailureAlert,
  sxidAlert,
  unknownGpu,
  xidAlert,
  xidEvent,
} from './xid-records.ts';
import {
  BUS_LOSS_XID,
  busLoss,
  DRIVER_FAULT,
  type InitFailureMessage,
  readXidMessage,
  type SxidMessage,
  type XidMessage,
} from './xid-message.ts';

export interface KernelLogOptions extends Omit<ClockHints, 'nowMs'> {
  customerId: number;
  /** Host of all lines; null: the host in the line. */
  host: string | null;
}

type Dated = DatedMessage & { lines: Line[] };
type OptionalRecord = object | null;

/** Alerts that were read but may not be written yet; more than a batch. */
const MAX_CACHED_ALERTS = 50_000;

/** The driver reports the loss of a GPU several times. Within this time they are one XID. */
const BUS_LOSS_REPEAT_MS = 60_000;

/** Converts the lines of a kernel log, of one host or several, to records. */
export class KernelLog {
  /** Lines about other subjects. */
  skipped = 0;
  /** UUIDs that the driver logged, by host and PCI address. */
  private readonly boards = new Map<string, string>();
  private readonly alertIds = new Set<string>();
  private readonly createdGpus = new Set<string>();
  private readonly unwrapper = new LogUnwrapper();
  private readonly dmesgJson = new DmesgJson();
  private readonly relativeClock = new RelativeClock();
  /** Last XID 79 by host and PCI address, in ms since the epoch. */
  private readonly busLosses = new Map<string, number>();
  /** First line of the last message of several lines, by host; under null that of any host. */
  private readonly devices = new Map<string | null, { pci: string; line: KernelLine }>();

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
      const entry = this.unwrapper.unwrap(line);
      if (entry === null) continue;
      const found = this.readEntry(entry);
      if (found === null) this.skipped += entry.lines.filter(({ text }) => text.trim() !== '').length;
      else if (found !== 'board' && 'fault' in found)
        faults.push({ fault: found.fault, origin: this.originOf(entry.lines) });
      // Looked up now: a later line may report another board in the slot.
      else if (found !== 'board') dated.push({ ...found, gpuId: this.boards.get(slotOf(found)) });
    }
    if (dated.length === 0) return faults;
    return [...faults, ...(await this.itemsOf(dated))];
  }

  /** Returns faults for the lines of an entry whose end is missing. */
  incomplete(): SourceItem[] {
    return this.unwrapper
      .incomplete()
      .map((line) => ({ fault: 'the log entry is incomplete', origin: this.originOf([line]) }));
  }

  /** @returns the message, null for an entry about another subject, `board` for the UUID of a board, or a fault */
  private readEntry(entry: LogEntry): Dated | { fault: string } | 'board' | null {
    const { lines } = entry;
    const text = this.dmesgJson.toPlain(entry.text);
    const hints = { ...this.options, nowMs: Date.now() };
    const relativeMs = this.relativeClock.read(text, hints);
    if (!DRIVER_FAULT.test(searchableText(text))) return null;
    const fault = lines.find((line) => line.fault !== undefined)?.fault;
    if (fault !== undefined) return { fault };
    let kernelLine = readKernelLine(text, hints);
    const otherMs = relativeMs ?? entry.atMs;
    if ('fault' in kernelLine && otherMs !== null)
      kernelLine = { host: null, atMs: otherMs, message: driverText(text) };
    let message = readXidMessage('fault' in kernelLine ? driverText(text) : kernelLine.message);
    if (message === null) return null;
    if ('fault' in message) return message;
    if (message.kind === 'bus_loss') {
      const device = this.devices.get('fault' in kernelLine ? null : kernelLine.host);
      if (device === undefined) return { fault: 'the line before, with the GPU, is missing' };
      // dmesg prints time and host only on the first line of a message.
      if ('fault' in kernelLine) kernelLine = device.line;
      message = busLoss(device.pci);
    }
    if ('fault' in kernelLine)
      return message.kind === 'board' || message.kind === 'device' ? null : kernelLine;
    if (message.kind === 'device') {
      for (const key of [kernelLine.host, null])
        this.devices.set(key, { pci: message.pci, line: kernelLine });
      return null;
    }
    const host = this.options.host ?? kernelLine.host;
    if (message.kind === 'board') {
      if (host !== null) this.boards.set(slotKey(host, message.pci), message.gpuId);
      return 'board';
    }
    if (host === null) return { fault: 'the line has no host: set --host' };
    if (message.kind === 'xid' && message.code === BUS_LOSS_XID) {
      const slot = slotKey(host, message.pci);
      const isRepeated = follows(this.busLosses.get(slot), kernelLine.atMs);
      this.busLosses.set(slot, kernelLine.atMs);
      if (message.withoutXid && isRepeated) return null;
    }
    const at = new Date(kernelLine.atMs).toISOString();
    const sequence = sequenceOf(kernelLine, lines[0] as Line);
    return { message, host, at, alertId: this.alertIdOf(message, host, at), sequence, lines };
  }

  /** An alert is identified like its event, by GPU, time and code; errors of a switch also differ by their links. */
  private alertIdOf(message: AlertedMessage, host: string, at: string): string {
    const identity = [this.options.customerId, slotKey(host, message.pci ?? ''), at];
    return message.kind === 'xid'
      ? nameUuid('xid', ...identity, message.code, xidVariantKey(message.code, message.text))
      : nameUuid(message.kind, ...identity, ...(message.kind === 'sxid' ? [message.code] : []), message.text);
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

    const xidIds = (one: Dated & { gpuId: string | undefined }) =>
      imported.get(one.alertId) ??
      one.gpuId ??
      bySlot.get(slotOf(one))?.gpu_id ??
      `${one.host}|${one.message.pci}|`;
    const repeated = await this.repeatedBusLosses(dated.filter(isXid), xidIds);

    return dated.flatMap((one) => {
      const { lines } = one;
      if (isSxid(one)) return this.itemsOfLines(lines, sxidAlert(one).reverse());
      if (isInitFailure(one)) {
        const gpuId = one.gpuId ?? bySlot.get(slotOf(one))?.gpu_id;
        const gpu = gpuId === undefined ? undefined : byId.get(gpuId);
        const [alert, timelineEvent] = initFailureAlert(one, gpu);
        // What is known of the GPU may have changed since the alert was imported.
        return this.itemsOfLines(lines, [imported.has(one.alertId) ? null : alert, timelineEvent]);
      }
      if (!isXid(one)) return [];
      if (repeated.has(one)) {
        this.skipped += lines.length;
        return [];
      }
      const isKnown = imported.has(one.alertId) || this.alertIds.has(one.alertId);
      this.addAlert(one.alertId);
      // A line that was imported before belongs to the same GPU as then.
      const id = xidIds(one);
      const items = this.itemsOfLines(lines, this.xidRecords(one, id, byId.get(id), isKnown));
      if (items.every((item) => 'record' in item)) this.createdGpus.add(id);
      return items;
    });
  }

  /** Returns the losses without an XID that follow a stored one: the log was read from its middle. */
  private async repeatedBusLosses<One extends Dated & DatedMessage<XidMessage>>(
    dated: One[],
    gpuIdOf: (one: One & { gpuId: string | undefined }) => string,
  ): Promise<Set<Dated>> {
    const losses = dated.filter(({ message }) => message.withoutXid) as (One & {
      gpuId: string | undefined;
    })[];
    if (losses.length === 0) return new Set();
    const times = losses.map(({ at }) => Date.parse(at));
    const stored = await readXidTimes(this.database, this.options.customerId, {
      code: BUS_LOSS_XID,
      gpuIds: losses.map(gpuIdOf),
      fromMs: Math.min(...times) - BUS_LOSS_REPEAT_MS,
      toMs: Math.max(...times),
    });
    const isRepeated = (one: One & { gpuId: string | undefined }) => {
      const ofGpu = stored.get(gpuIdOf(one)) ?? [];
      const atMs = Date.parse(one.at);
      return !ofGpu.includes(atMs) && ofGpu.some((earlierMs) => follows(earlierMs, atMs));
    };
    return new Set(losses.filter(isRepeated));
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

  /** Validates the records of an entry. Its lines belong to the last of them. */
  private itemsOfLines(lines: Line[], candidates: OptionalRecord[]): SourceItem[] {
    const items: SourceItem[] = [];
    const records = candidates.filter((record) => record !== null);
    for (const [index, record] of records.entries()) {
      const read = this.reader.read(record);
      if ('fault' in read) return [{ fault: read.fault, origin: this.originOf(lines) }];
      const isLast = index === records.length - 1;
      items.push({
        record: read.record,
        origin: isLast ? this.originOf(lines) : { file: this.file, lines: [] },
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

  private originOf(lines: Line[]) {
    return { file: this.file, lines };
  }
}

function slotOf({ host, message }: DatedMessage): string {
  return slotKey(host, message.pci ?? '');
}

/**
 * Returns the order of a line among those with the same time: by the kernel's microseconds, then by line number. Both wrap
 * around, after 1,000 seconds and a million lines.
 */
function sequenceOf({ stampMicroseconds }: KernelLine, { number }: Line): number {
  return ((stampMicroseconds ?? 0) % 1e9) * 1e6 + (number % 1e6);
}

/** Returns whether a loss of a GPU repeats an earlier one. */
function follows(earlierMs: number | undefined, atMs: number): boolean {
  return earlierMs !== undefined && atMs >= earlierMs && atMs - earlierMs <= BUS_LOSS_REPEAT_MS;
}

function isXid<D extends DatedMessage>(dated: D): dated is D & DatedMessage<XidMessage> {
  return dated.message.kind === 'xid';
}

function isInitFailure<D extends DatedMessage>(dated: D): dated is D & DatedMessage<InitFailureMessage> {
  return dated.message.kind === 'init_failure';
}

function isSxid<D extends DatedMessage>(dated: D): dated is D & DatedMessage<SxidMessage> {
  return dated.message.kind === 'sxid';
}
