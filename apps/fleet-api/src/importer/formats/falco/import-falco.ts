import type { FileJob } from '../../run/file-job.ts';
import { importLines } from '../../run/import-lines.ts';
import { parseJsonLine } from '../../run/json-line.ts';
import type { LogEntry } from '../../run/log-entry.ts';
import { LogUnwrapper } from '../../run/log-unwrapper.ts';
import type { SourceItem } from '../../run/source.ts';
import { InputCheck } from '../input-check.ts';
import { readFalcoEvent } from './falco-event.ts';
import { type FalcoOptions, falcoRecords } from './falco-records.ts';

/** Imports a file or stream of Falco's JSON output. */
export async function importFalco(job: FileJob, options: FalcoOptions): Promise<void> {
  const unwrapper = new LogUnwrapper({ mayBeIn: (text) => text.includes('rule'), is: isFalcoEvent });
  const inputCheck = new InputCheck(job.file, 'falco');
  await importLines(job, (lines) => {
    const entries = lines.flatMap((line) => unwrapper.unwrap(line)).filter(({ text }) => text.trim() !== '');
    // The first lines of a stream may be of other programs.
    if (!job.follow) inputCheck.check(entries);
    return entries.flatMap((entry) => itemsOf(entry, job, options));
  });
  for (const line of unwrapper.incompleteLines())
    await job.run.add([{ fault: 'the log entry is incomplete', origin: { file: job.file, lines: [line] } }]);
}

/** Returns the records of a log entry, or its fault. The lines of the entry are those of the alert. */
function itemsOf(entry: LogEntry, { file, reader }: FileJob, options: FalcoOptions): SourceItem[] {
  const origin = { file, lines: entry.lines };
  const records = recordsOf(entry, options);
  if ('fault' in records) return [{ fault: records.fault, origin }];
  const timelineEvent = reader.read(records.timelineEvent);
  const alert = reader.read(records.alert);
  // An invalid time is a fault of both records. Users know the fields of the alert.
  if ('fault' in alert) return [{ fault: alert.fault, origin }];
  if ('fault' in timelineEvent) return [{ fault: timelineEvent.fault, origin }];
  return [
    { record: timelineEvent.record, origin: { file, lines: [] } },
    { record: alert.record, origin },
  ];
}

function recordsOf(entry: LogEntry, options: FalcoOptions): ReturnType<typeof falcoRecords> {
  const fault = entry.lines.find((line) => line.fault !== undefined)?.fault;
  if (fault !== undefined) return { fault };
  const json = entry.json ?? parseJsonLine({ text: entry.text });
  if ('fault' in json) return json;
  const event = readFalcoEvent(json.value, entry.time);
  return 'fault' in event ? event : falcoRecords(event, entry, options);
}

/** Returns whether a value in JSON is an event, or the text of one. */
function isFalcoEvent(value: unknown): boolean {
  if (typeof value === 'string') return /\{.*"rule"\s*:/s.test(value);
  return typeof value === 'object' && value !== null && 'rule' in value && 'priority' in value;
}
