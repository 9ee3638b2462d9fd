import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { Owner } from '../fleet/fleet.ts';
import type { SeededRandom } from '../random.ts';
import { rfc3339 } from '../time.ts';
import type { Subject } from './alert-kind.ts';
import { fillTemplate, programName, type AlertContext } from './alert-context.ts';
import { fieldsOf, timelineScripts, type TimelineStep } from './timeline-scripts.ts';

/** The Linux kernel truncates `comm` to 15 characters (TASK_COMM_LEN with its null byte is 16). */
const COMM_LENGTH = 15;
const SHELLS = new Set(['bash', 'sh']);

/**
 * Builds `timeline_event` records, oldest first: all steps of a story, or 3 to 12 from the script of a subject. The last one is
 * not after the alert.
 */
export function timelineRecords(
  random: SeededRandom,
  steps: Subject | readonly TimelineStep[],
  context: AlertContext,
  alertId: string,
  owner: Owner,
): string[] {
  const isStory = typeof steps !== 'string';
  const script = isStory ? steps : timelineScripts[steps];
  const length = isStory ? steps.length : random.integer(3, 12);
  let at = context.at - random.integer(5, 600) * SECOND_MS;
  let previousPid = context.process.parentPid;
  /** Of the latest shell, which starts the programs after it. */
  let shellPid: number | undefined;
  return Array.from({ length }, (_unused, i) => {
    const [type, text, own] = script[Math.floor((i * script.length) / length)]!;
    const command = own ?? context.process.commandLine;
    const name = programName(command);
    const pid = own === undefined ? context.process.pid : context.process.pid - 40 + i;
    const isShell = own !== undefined && SHELLS.has(name);
    const startedBy = isShell ? previousPid : own === undefined ? undefined : shellPid;
    if (isShell) shellPid = pid;
    previousPid = pid;
    const optional: Record<string, unknown> = {
      comm: name.slice(0, COMM_LENGTH),
      command_line: command,
      args: command.split(' ').slice(1),
      pwd: context.process.directory,
    };
    // A program starts in its main thread, and its other threads act later. Agents miss some fields of short processes.
    const isOtherThread = own === undefined && type !== 'process_exec' && random.chance(0.2);
    const fields = fieldsOf(type).filter(() => isStory || random.chance(0.9));
    const event = {
      kind: 'timeline_event',
      ...owner,
      alert_id: alertId,
      ts: rfc3339(at),
      pid,
      tid: isOtherThread ? pid + random.integer(1, 40) : pid,
      event_type: type,
      event_info: fillTemplate(text, context.values) + (startedBy === undefined ? '' : `, ppid ${startedBy}`),
      ...Object.fromEntries(fields.map((field) => [field, optional[field]])),
    };
    // Each event has a later timestamp: the importer treats two equal events as one.
    at = Math.max(at + 1, Math.floor(at + (context.at - at) * random.between(0.02, 0.4)));
    return JSON.stringify(event);
  });
}
