import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { Owner } from '../fleet/fleet.ts';
import type { SeededRandom } from '../random.ts';
import { rfc3339 } from '../time.ts';
import type { Subject } from './alert-kind.ts';
import { fillTemplate, programName, type AlertContext } from './alert-context.ts';
import { fieldsOf, timelineScripts, type TimelineStep } from './timeline-scripts.ts';

/** The Linux kernel truncates `comm` to 15 characters (TASK_COMM_LEN with its null byte is 16). */
const COMM_LENGTH = 15;

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
  const script = typeof steps === 'string' ? timelineScripts[steps] : steps;
  const length = typeof steps === 'string' ? random.integer(3, 12) : steps.length;
  let at = context.at - random.integer(5, 600) * SECOND_MS;
  /** Of the latest shell, which starts the programs after it. */
  let parentPid = context.process.parentPid;
  return Array.from({ length }, (_unused, i) => {
    const [type, text, command] = script[Math.floor((i * script.length) / length)]!;
    const process = processOf(command, i, context);
    let info = fillTemplate(text, context.values);
    if (command !== undefined && i > 0) info += `, ppid ${parentPid}`;
    if (i === 0 || process.name === 'bash') parentPid = process.pid;
    const optional: Record<string, unknown> = {
      comm: process.name.slice(0, COMM_LENGTH),
      command_line: process.commandLine,
      args: process.commandLine.split(' ').slice(1),
      pwd: process.directory,
    };
    const event = {
      kind: 'timeline_event',
      ...owner,
      alert_id: alertId,
      ts: rfc3339(at),
      pid: process.pid,
      tid: process.pid,
      event_type: type,
      event_info: info,
      ...Object.fromEntries(fieldsOf(type).map((field) => [field, optional[field]])),
    };
    // Each event has a later timestamp: the importer treats two equal events as one.
    at = Math.max(at + 1, Math.floor(at + (context.at - at) * random.between(0.02, 0.4)));
    return JSON.stringify(event);
  });
}

/** Returns the process of a step: its own, that of the alert, or at the first step the parent. */
function processOf(
  command: string | undefined,
  i: number,
  { process }: AlertContext,
): AlertContext['process'] {
  if (command !== undefined)
    return { ...process, name: programName(command), commandLine: command, pid: process.pid - 40 + i };
  return i === 0 ? { ...process, name: process.parent, pid: process.parentPid } : process;
}
