import type { AlertDetail, TimelineEvent } from '../data/queries.ts';

export interface ProcessNode {
  pid: number;
  /** Name of the process; undefined when no event has one. */
  name: string | undefined;
  commandLine: string | undefined;
  eventCount: number;
  /** Whether the alert is about this process. */
  isSubject: boolean;
  children: ProcessNode[];
}

/** `ppid=41`, `ppid: 41`, `parent pid 41`, as agents write it into the text of an event. */
const PARENT_PID = /\b(?:ppid|parent[ _]pid)[ =:]+(\d{1,10})\b/i;

/**
 * Returns the processes of an alert as trees. Parents are those that the alert or an event states; a process without a
 * stated parent is a root.
 */
export function processTrees(
  events: TimelineEvent[],
  details: AlertDetail['resource_details']['process_details'],
): ProcessNode[] {
  const nodes = new Map<number, ProcessNode>();
  const parents = new Map<number, number>();
  const nodeOf = (pid: number) => {
    const node = nodes.get(pid) ?? {
      pid,
      name: undefined,
      commandLine: undefined,
      eventCount: 0,
      isSubject: false,
      children: [],
    };
    nodes.set(pid, node);
    return node;
  };
  const setParent = (pid: number, parent: number) => {
    if (parent > 0 && parent !== pid) parents.set(pid, parent);
  };
  for (const { pid, comm, command_line, event_info } of events) {
    // An event of the kernel, such as an XID.
    if (pid === 0) continue;
    const node = nodeOf(pid);
    node.eventCount += 1;
    node.name ??= comm;
    node.commandLine ??= command_line;
    const stated = PARENT_PID.exec(event_info)?.[1];
    if (stated !== undefined) setParent(pid, Number(stated));
  }
  if (details && details.pid > 0) {
    const node = nodeOf(details.pid);
    node.isSubject = true;
    node.name = details.process_name || node.name;
    node.commandLine = details.command_line || node.commandLine;
    setParent(details.pid, details.parent_process_pid);
  }
  for (const [pid, parent] of parents) {
    // Stated parents could form a cycle when a PID was used again.
    if (isAncestor(pid, parent, parents)) parents.delete(pid);
    else nodeOf(parent).children.push(nodeOf(pid));
  }
  return [...nodes.values()].filter(({ pid }) => !parents.has(pid));
}

function isAncestor(pid: number, of: number, parents: Map<number, number>): boolean {
  let steps = 0;
  for (let each = parents.get(of); each !== undefined && steps < parents.size; each = parents.get(each)) {
    if (each === pid) return true;
    steps += 1;
  }
  return false;
}

/** Returns the depth of each process in its tree; 0 for roots. */
export function depthsOf(trees: ProcessNode[], depth = 0, depths = new Map<number, number>()) {
  for (const { pid, children } of trees) {
    depths.set(pid, depth);
    depthsOf(children, depth + 1, depths);
  }
  return depths;
}
