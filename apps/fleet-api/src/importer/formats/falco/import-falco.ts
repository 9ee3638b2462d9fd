import type { FileJob } from '../../run/import-files.ts';
import { importLines } from '../../run/import-lines.ts';
import { parseJsonLine } from '../../run/json-line.ts';
import { type LogEntry, LogUnwrapper } from '../../run/log-unwrapper.ts';
import type { Line } from '../../run/lines.ts';
import type { SourceItem } from '../../run/source.ts';
import { readFalcoEvent } from './falco-event.ts';
import { falcoRecords } from './falco-records.ts';
import type { FalcoRules } from './falco-rules.ts';

/** Imports a file or stream of Falco's JSON output, one event per line. */
export async function importFalco(job: FileJob, customerId: number, rules: FalcoRules): Promise<void> {
  const unwrapper = new LogUnwrapper();
  const itemsOf = ({ text, lines }: LogEntry): SourceItem[] => {
    const origin = { file: job.file, lines };
    const json = parseJsonLine({
      ...(lines.find((line) => line.fault !== undefined) ?? lines[0]),
      text,
    } as Line);
    if ('fault' in json) return [{ fault: json.fault, origin }];
    const event = readFalcoEvent(json.value);
    if ('fault' in event) return [{ fault: event.fault, origin }];
    const records = falcoRecords(event, rules, customerId);
    if ('fault' in records) return [{ fault: records.fault, origin }];
    const timelineEvent = job.reader.read(records.timelineEvent);
    const alert = job.reader.read(records.alert);
    if ('fault' in alert) return [{ fault: alert.fault, origin }];
    if ('fault' in timelineEvent) return [{ fault: timelineEvent.fault, origin }];
    // The line belongs to the alert.
    return [
      { record: timelineEvent.record, origin: { file: job.file, lines: [] } },
      { record: alert.record, origin },
    ];
  };
  await importLines(job, (lines) =>
    lines
      .flatMap((line) => unwrapper.unwrap(line))
      .filter(({ text }) => text.trim() !== '')
      .flatMap(itemsOf),
  );
  for (const line of unwrapper.incompleteLines())
    await job.run.add([{ fault: 'the log entry is incomplete', origin: { file: job.file, lines: [line] } }]);
}
