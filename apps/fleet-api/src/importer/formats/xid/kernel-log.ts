import { nameUuid } from '../../records/name-uuid.ts';
import type { RecordReader } from '../../records/record-reader.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';
import { UnreadableInput } from '../../run/unreadable-input.ts';
import type { ImportDatabase } from '../../write/import-database.ts';
import { type LogEntry, LogUnwrapper } from '../../run/log-unwrapper.ts';
import { DmesgJson, isDmesgDocument, RelativeClock, splitDmesg } from './dmesg-formats.ts';
import {
  type ClockHints,
  driverText,
  type KernelLine,
  readKernelLine,
  searchableText,
} from './kernel-line.ts';
import { slotKey } from '../../write/xid-events.ts';
import { readGpus, readGpusOfHosts, readGpusOfXids, readStoredAlertIds, xidKey } from './known-gpus.ts';
import { Occurrences } from './occurrences.ts';
import { type DatedMessage, initFailureAlert, sxidAlert, unknownGpu, xidEvent } from './xid-records.ts';
import {
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

const USE_LINES = ', which has one field per line: use journalctl -k -o json or -o short-iso-precise';
/** Input that is not read as a kernel log, by a pattern of one of the first lines. */
const UNREADABLE_FORMATS: [line: RegExp, looksLike: string][] = [
  [/^\s+"(?:__CURSOR|__REALTIME_TIMESTAMP|_BOOT_ID|MESSAGE)" : /, `journalctl -o json-pretty${USE_LINES}`],
  [/^__CURSOR=/, `journalctl -o export${USE_LINES}`],
  [/^[A-Z][a-z]{2} \d{4}-\d{2}-\d{2} .* \[s=[0-9a-f]+;/, `journalctl -o verbose${USE_LINES}`],
  [/^<(?:\?xml|nvidia_smi_log)/, 'XML of nvidia-smi: use the adapter nvidia-smi'],
  [/^(?:# (?:HELP|TYPE) |DCGM_FI_\w+\{|nvidia_smi_\w+\{)/, 'the page of an exporter: use its adapter'],
];
/** The first lines of journalctl may be about the journal itself, and an entry of json-pretty begins with a brace. */
const CHECKED_LINES = 4;

type Dated = DatedMessage & { lines: Line[] };
type OptionalRecord = object | null;

/** Converts the lines of a kernel log, of one host or several, to records. */
export class KernelLog {
  /** Lines about other subjects. */
  skipped = 0;
  /** UUIDs that the driver logged, by host and PCI address. */
  private readonly boards = new Map<string, string>();
  private readonly createdGpus = new Set<string>();
  private checkedLines = 0;
  private readonly unwrapper = new LogUnwrapper();
  private readonly dmesgJson = new DmesgJson();
  private readonly relativeClock = new RelativeClock();
  private readonly occurrences = new Occurrences();
  /** First line of the last message of several lines, by host; under null that of any host. */
  private readonly devices = new Map<string | null, { pci: string; line: KernelLine }>();

  constructor(
    private readonly file: string,
    private readonly reader: RecordReader,
    private readonly database: Pick<ImportDatabase, 'query'>,
    private readonly options: KernelLogOptions,
  ) {}

  /** @throws {UnreadableInput} when the log has a format that is not read */
  async read(lines: Line[]): Promise<SourceItem[]> {
    this.checkFormat(lines);
    const faults: SourceItem[] = [];
    const dated: (Dated & { gpuId: string | undefined })[] = [];
    for (const line of lines) {
      for (const entry of this.unwrapper.unwrap(line).flatMap(splitDmesg)) {
        const found = this.readEntry(entry);
        if (found === null) this.skipped += entry.lines.filter(({ text }) => text.trim() !== '').length;
        else if (found !== 'board' && 'fault' in found)
          faults.push({ fault: found.fault, origin: this.originOf(entry.lines) });
        // Looked up now: a later line may report another board in the slot.
        else if (found !== 'board') dated.push({ ...found, gpuId: this.boards.get(slotOf(found)) });
      }
    }
    if (dated.length === 0) return faults;
    return [...faults, ...(await this.itemsOf(dated))];
  }

  private checkFormat(lines: Line[]): void {
    for (const { text } of lines) {
      if (this.checkedLines >= CHECKED_LINES) return;
      if (text.trim() === '') continue;
      this.checkedLines += 1;
      const looksLike = UNREADABLE_FORMATS.find(([pattern]) => pattern.test(text))?.[1];
      if (looksLike !== undefined)
        throw new UnreadableInput(`${this.file}: the log looks like ${looksLike}.`);
    }
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
    // Precedes the search, because the text of a line that is too long is cut.
    const fault = lines.find((line) => line.fault !== undefined)?.fault;
    if (fault !== undefined)
      return {
        fault: isDmesgDocument(entry.text)
          ? `${fault}: import dmesg -J as it is printed, with one field per line`
          : fault,
      };
    if (!DRIVER_FAULT.test(searchableText(text))) return null;
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
    const at = new Date(kernelLine.atMs).toISOString();
    const sequence = sequenceOf(kernelLine, lines[0] as Line);
    const occurrence = this.occurrences.count(
      JSON.stringify([slotKey(host, message.pci ?? ''), at, message.kind, message]),
    );
    return { message, host, at, sequence, occurrence, lines };
  }

  private async itemsOf(dated: (Dated & { gpuId: string | undefined })[]): Promise<SourceItem[]> {
    const { database } = this;
    const { customerId } = this.options;
    const bySlot = await readGpusOfHosts(
      database,
      customerId,
      dated.map(({ host }) => host),
    );
    const xids = dated.filter(isXid);
    const imported = await readGpusOfXids(
      database,
      customerId,
      xids.map((one) => ({ at: one.at, slot: slotOf(one), code: one.message.code })),
    );
    const alertIds = dated
      .filter(isInitFailure)
      .map((one) => ({ id: alertIdOf(customerId, one), atMs: Date.parse(one.at) }));
    const alerts = await readStoredAlertIds(database, customerId, alertIds);
    const wanted = [...dated.map(({ gpuId }) => gpuId), ...imported.values()];
    const byId = await readGpus(
      database,
      customerId,
      wanted.filter((gpuId) => typeof gpuId === 'string'),
    );
    for (const gpu of bySlot.values()) byId.set(gpu.gpu_id, gpu);

    return dated.flatMap((one) => {
      const { lines } = one;
      const known = one.gpuId ?? bySlot.get(slotOf(one))?.gpu_id;
      if (isXid(one)) {
        // A line that was imported before belongs to the same GPU as then.
        const stored = imported.get(xidKey({ at: one.at, slot: slotOf(one), code: one.message.code }));
        const id = stored ?? known ?? `${one.host}|${one.message.pci}|`;
        const isNew = byId.get(id) === undefined && !this.createdGpus.has(id);
        const items = this.itemsOfLines(lines, [isNew ? unknownGpu(one, id) : null, xidEvent(one, id)]);
        if (items.every((item) => 'record' in item)) this.createdGpus.add(id);
        return items;
      }
      if (isSxid(one)) return this.itemsOfLines(lines, sxidAlert(one, alertIdOf(customerId, one)).reverse());
      if (!isInitFailure(one)) return [];
      const alertId = alertIdOf(customerId, one);
      const gpu = known === undefined ? undefined : byId.get(known);
      const [alert, timelineEvent] = initFailureAlert(one, alertId, gpu);
      // A stored alert stays: the inventory of the GPU, which it contains, may have changed since.
      return this.itemsOfLines(lines, [alerts.has(alertId) ? null : alert, timelineEvent]);
    });
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

  private originOf(lines: Line[]) {
    return { file: this.file, lines };
  }
}

/** An alert of a switch or a host is identified by its message. */
function alertIdOf(
  customerId: number,
  { message, host, at }: DatedMessage<SxidMessage | InitFailureMessage>,
): string {
  const code = message.kind === 'sxid' ? [message.code] : [];
  return nameUuid(message.kind, customerId, slotKey(host, message.pci ?? ''), at, ...code, message.text);
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

function isXid<D extends DatedMessage>(dated: D): dated is D & DatedMessage<XidMessage> {
  return dated.message.kind === 'xid';
}

function isInitFailure<D extends DatedMessage>(dated: D): dated is D & DatedMessage<InitFailureMessage> {
  return dated.message.kind === 'init_failure';
}

function isSxid<D extends DatedMessage>(dated: D): dated is D & DatedMessage<SxidMessage> {
  return dated.message.kind === 'sxid';
}
