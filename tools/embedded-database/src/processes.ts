import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessDescription {
  parentPid: number;
  /** The command with its arguments. */
  commandLine: string;
}

/** Describes a running process; undefined without one. A zombie does not count as running. */
export function describeProcess(pid: number): ProcessDescription | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

// Slim images have no `ps`, so on Linux this reads /proc.
function fromProc(pid: number): ProcessDescription | undefined {
  try {
    // "pid (name) state ppid …", where the name may contain spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parentPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { parentPid: Number(parentPid), commandLine };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): ProcessDescription | undefined {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  const [, parentPid, commandLine] = /^\s*(\d+)\s+(.*)$/m.exec(stdout ?? '') ?? [];
  return parentPid && commandLine ? { parentPid: Number(parentPid), commandLine } : undefined;
}
