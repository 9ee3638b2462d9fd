import type { Owner } from '../fleet/fleet.ts';
import type { Dice } from '../random.ts';
import { rfc3339, SECOND } from '../time.ts';
import type { Subject } from './alert-kind.ts';
import { filled, type Scene } from './alert-scene.ts';
import { timelineScripts } from './timeline-scripts.ts';

/** A kernel's `comm` holds 15 characters. */
const COMM_LENGTH = 15;

/** 3 to 12 `timeline_event` records of what led to the alert, oldest first, the last one at or before it. */
export function timelineRecords(
  dice: Dice,
  subject: Subject,
  scene: Scene,
  alertId: string,
  owner: Owner,
): string[] {
  const script = timelineScripts[subject];
  const length = dice.integer(3, 12);
  const { process, values } = scene;
  const lines: string[] = [];
  let at = scene.at - dice.integer(5, 600) * SECOND;
  for (let i = 0; i < length; i++) {
    const step = script[Math.floor((i * script.length) / length)]!;
    const isParent = i === 0;
    const says = (field: (typeof step.says)[number]) => step.says.includes(field) && dice.chance(0.9);
    const event: Record<string, unknown> = {
      kind: 'timeline_event',
      ...owner,
      alert_id: alertId,
      ts: rfc3339(at),
      pid: isParent ? process.parentPid : process.pid,
      tid: isParent ? process.parentPid : process.pid + (dice.chance(0.2) ? dice.integer(1, 40) : 0),
      event_type: step.type,
      event_info: filled(step.info, values),
    };
    if (says('comm')) event['comm'] = (isParent ? process.parent : process.name).slice(0, COMM_LENGTH);
    if (says('command_line')) event['command_line'] = process.commandLine;
    if (says('args')) event['args'] = process.commandLine.split(' ').slice(1);
    if (says('pwd')) event['pwd'] = process.directory;
    lines.push(JSON.stringify(event));
    // Never the same moment twice: two equal events would be one.
    at = Math.max(at + 1, Math.floor(at + (scene.at - at) * dice.between(0.02, 0.4)));
  }
  return lines;
}
