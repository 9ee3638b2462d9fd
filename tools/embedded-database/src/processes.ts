import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessDescription {
  parentPid: number;
  /** An opaque start time, because the system reuses process ids. */
  started: string;
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
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parentPid] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // Field 22 of the file is the start time since boot.
    return { parentPid: Number(parentPid), started: `${boot} ${fields[19]}`, commandLine };
  } catch {
    return undefined;
  }
}

function fromPs(pid: number): ProcessDescription | undefined {
  // In the C locale, lstart has five words, such as "Sat Nov 28 21:53:00 2026".
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'ppid=,lstart=,command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  const [, parentPid, started = '', commandLine] =
    /^\s*(\d+)\s+((?:\S+\s+){5})(.*)$/m.exec(stdout ?? '') ?? [];
  return parentPid && commandLine ? { parentPid: Number(parentPid), started, commandLine } : undefined;
}
