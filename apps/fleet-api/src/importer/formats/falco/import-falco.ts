import type { FileJob } from '../../run/file-job.ts';
import { importLines } from '../../run/import-lines.ts';
import { parseJsonLine } from '../../run/json-line.ts';
import type { LogEntry } from '../../run/log-entry.ts';
import { LogUnwrapper } from '../../run/log-unwrapper.ts';
import type { SourceItem } from '../../run/source.ts';
import { InputCheck } from '../input-check.ts';
import { readFalcoEvent } from './falco-event.ts';
import { type FalcoOptions, type FalcoRecords, falcoRecords } from './falco-records.ts';

/** Imports a file or stream of Falco's JSON output. */
export async function importFalco(job: FileJob, options: FalcoOptions): Promise<void> {
  const unwrapper = new LogUnwrapper({ mayContain: (text) => text.includes('rule'), matches: isFalcoEvent });
  const inputCheck = new InputCheck(job.file, 'falco');
  await importLines(job, (lines) => {
    const entries = lines.flatMap((line) => unwrapper.unwrap(line)).filter(({ text }) => text.trim() !== '');
    // A followed stream may begin with lines of other programs, so its format is not checked.
    if (!job.follow) inputCheck.check(entries);
    return entries.flatMap((entry) => itemsOf(entry, job, options));
  });
  for (const line of unwrapper.takeIncompleteLines())
    await job.run.add([{ fault: 'the log entry is incomplete', origin: { file: job.file, lines: [line] } }]);
}

/** Returns the timeline event and the alert of a log entry, or its fault. Its lines are counted once, for the alert. */
function itemsOf(entry: LogEntry, { file, reader }: FileJob, options: FalcoOptions): SourceItem[] {
  const origin = { file, lines: entry.lines };
  const records = recordsOf(entry, options);
  if ('fault' in records) return [{ fault: records.fault, origin }];
  const timelineEvent = reader.read(records.timelineEvent);
  const alert = reader.read(records.alert);
  // Both records have the time of the event. If it is invalid, the fault of the alert is reported.
  if ('fault' in alert) return [{ fault: alert.fault, origin }];
  if ('fault' in timelineEvent) return [{ fault: timelineEvent.fault, origin }];
  return [
    { record: timelineEvent.record, origin: { file, lines: [] } },
    { record: alert.record, origin },
  ];
}

function recordsOf(entry: LogEntry, options: FalcoOptions): FalcoRecords | { fault: string } {
  const fault = entry.lines.find((line) => line.fault !== undefined)?.fault;
  if (fault !== undefined) return { fault };
  const json = entry.json ?? parseJsonLine({ text: entry.text });
  if ('fault' in json) return json;
  const event = readFalcoEvent(json.value, entry.time ?? undefined);
  return 'fault' in event ? event : falcoRecords(event, entry, options);
}

/** Returns whether a JSON value is a Falco event, or a string that contains one. */
function isFalcoEvent(value: unknown): boolean {
  if (typeof value === 'string') return /\{.*"rule"\s*:/s.test(value);
  return typeof value === 'object' && value !== null && 'rule' in value && 'priority' in value;
}
