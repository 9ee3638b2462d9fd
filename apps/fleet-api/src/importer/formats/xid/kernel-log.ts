import type { RecordReader } from '../../records/record-reader.ts';
import type { LogEntry } from '../../run/log-entry.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';
import type { ImportDatabase } from '../../write/import-database.ts';
import { dateLine } from './date.ts';
import { mayBeFault } from './driver-text.ts';
import { InputCheck } from '../input-check.ts';
import { readStoredRecords } from './stored-records.ts';
import type { ClockHints } from './line-formats.ts';
import { type Located, Locator } from './locate.ts';
import { recognize } from './recognize.ts';
import { type LocatedEntry, Recorder } from './record.ts';
import { RelativeClock } from './relative-clock.ts';
import { kernelLogUnwrapper, lineFault } from './unwrap.ts';

export interface KernelLogOptions extends Omit<ClockHints, 'nowMs'> {
  customerId: number;
  /** Host of all lines; null: the host in the line. */
  host: string | null;
}

/** Line break before a line with an XID. */
const NEXT_XID = /\n(?=.*NVRM: Xid \()/;

/**
 * Converts the lines of a kernel log, of one host or several, to records. A line passes five stages: it is unwrapped, dated,
 * recognized, located and recorded.
 */
export class KernelLog {
  /** Number of lines about other subjects, without blank lines. */
  skipped = 0;
  private readonly inputCheck: InputCheck;
  private readonly unwrapper = kernelLogUnwrapper();
  private readonly relativeClock = new RelativeClock();
  private readonly locator: Locator;
  private readonly recorder: Recorder;

  constructor(
    private readonly file: string,
    reader: RecordReader,
    private readonly database: Pick<ImportDatabase, 'query'>,
    private readonly options: KernelLogOptions,
  ) {
    this.inputCheck = new InputCheck(file, 'xid');
    this.locator = new Locator(options.host);
    this.recorder = new Recorder(file, reader, options.customerId);
  }

  /** Converts the next lines. @throws {UnreadableInput} when the log has the format of another adapter */
  async read(lines: Line[]): Promise<SourceItem[]> {
    const entries = lines.flatMap((line) => this.unwrapper.unwrap(line)).flatMap(splitEntry);
    this.inputCheck.check(entries);
    const faults: SourceItem[] = [];
    const located: LocatedEntry[] = [];
    for (const entry of entries) {
      const result = this.locate(entry);
      if (result.kind === 'located') located.push({ ...result, lines: entry.lines });
      else if (result.kind === 'fault') faults.push(this.faultOf(result.fault, entry.lines));
      else if (result.kind === 'other')
        this.skipped += entry.lines.filter(({ text }) => text.trim() !== '').length;
    }
    if (located.length === 0) return faults;
    const stored = await readStoredRecords(this.database, this.options.customerId, located);
    return [...faults, ...located.flatMap((entry) => this.recorder.record(entry, stored))];
  }

  /** Ends the log. @returns a fault for each line of an entry whose end is missing */
  end(): SourceItem[] {
    return this.unwrapper
      .takeIncompleteLines()
      .map((line) => this.faultOf('the log entry is incomplete', [line]));
  }

  /** Passes an entry through the stages from its date to its location. */
  private locate(entry: LogEntry): Located {
    const hints = { ...this.options, nowMs: Date.now() };
    // Every line advances the clock, also those about other subjects.
    const time = this.relativeClock.advance(entry.text, hints) ?? entry.time;
    // A line that is too long was cut, so its text is not searched.
    const fault = lineFault(entry);
    if (fault !== undefined) return { kind: 'fault', fault };
    if (!mayBeFault(entry.text)) return { kind: 'other' };
    const line = dateLine(entry.text, { ...entry, time }, hints);
    const message = recognize(line.message);
    return this.locator.locate(line, message);
  }

  private faultOf(fault: string, lines: Line[]): SourceItem {
    return { fault, origin: { file: this.file, lines } };
  }
}

/** Splits an entry with several XIDs: a collector has joined their lines. */
function splitEntry(entry: LogEntry): LogEntry[] {
  const texts = entry.text.split(NEXT_XID).filter(mayBeFault);
  return texts.length < 2 ? [entry] : texts.map((text) => ({ ...entry, text }));
}
