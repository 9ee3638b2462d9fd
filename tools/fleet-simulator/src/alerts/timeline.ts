import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { Owner } from '../fleet/fleet.ts';
import type { SeededRandom } from '../random.ts';
import { rfc3339 } from '../time.ts';
import type { Subject } from './alert-kind.ts';
import { fillTemplate, programName, type AlertContext } from './alert-context.ts';
import { timelineScripts, type TimelineStep } from './timeline-scripts.ts';

/** The Linux kernel truncates `comm` to 15 characters (TASK_COMM_LEN with its null byte is 16). */
const COMM_LENGTH = 15;
const SHELLS = new Set(['bash', 'sh']);

/**
 * Builds `timeline_event` records, oldest first: all given steps, or 3 to 12 from the script of a subject. The last one is
 * not after the alert.
 */
export function timelineRecords(
  random: SeededRandom,
  steps: Subject | readonly TimelineStep[],
  context: AlertContext,
  alertId: string,
  owner: Owner,
): string[] {
  const isScripted = typeof steps !== 'string';
  const script = isScripted ? steps : timelineScripts[steps];
  const length = isScripted ? steps.length : random.integer(3, 12);
  const { process, values } = context;
  const lines: string[] = [];
  /** PID of the latest shell of a scripted sequence, which starts the programs after it. */
  let shellPid: number | undefined;
  let previousPid: number | undefined;
  let at = context.at - random.integer(5, 600) * SECOND_MS;
  for (let i = 0; i < length; i++) {
    const step = script[Math.floor((i * script.length) / length)]!;
    const isParent = i === 0 && step.command === undefined;
    const command = step.command ?? process.commandLine;
    const name = step.command === undefined ? process.name : programName(step.command);
    const pid = isParent
      ? process.parentPid
      : step.command === undefined
        ? process.pid
        : process.pid - 40 + i;
    const isShell = isScripted && step.command !== undefined && SHELLS.has(name);
    const startedBy = isShell ? previousPid : step.command === undefined ? undefined : shellPid;
    if (isShell) shellPid = pid;
    previousPid = pid;
    const has = (field: (typeof step.fields)[number]) =>
      step.fields.includes(field) && (isScripted || random.chance(0.9));
    const event: Record<string, unknown> = {
      kind: 'timeline_event',
      ...owner,
      alert_id: alertId,
      ts: rfc3339(at),
      pid,
      tid: isParent || isScripted ? pid : pid + (random.chance(0.2) ? random.integer(1, 40) : 0),
      event_type: step.type,
      event_info: fillTemplate(step.info, values) + (startedBy === undefined ? '' : `, ppid ${startedBy}`),
    };
    if (has('comm')) event['comm'] = (isParent ? process.parent : name).slice(0, COMM_LENGTH);
    if (has('command_line')) event['command_line'] = command;
    if (has('args')) event['args'] = command.split(' ').slice(1);
    if (has('pwd')) event['pwd'] = process.directory;
    lines.push(JSON.stringify(event));
    // Each event has a later timestamp: the importer treats two equal events as one.
    at = Math.max(at + 1, Math.floor(at + (context.at - at) * random.between(0.02, 0.4)));
  }
  return lines;
}
