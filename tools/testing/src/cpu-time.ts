import { readdirSync, readFileSync } from 'node:fs';

/** Returns the CPU time of all threads of a process, in ns; 0 when it has ended. Linux only. */
export function cpuTimeOf(pid: number): number {
  const threads = `/proc/${pid}/task`;
  try {
    // The first number is the time on a CPU (https://docs.kernel.org/scheduler/sched-stats.html).
    return readdirSync(threads).reduce(
      (sum, thread) => sum + Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
      0,
    );
  } catch {
    return 0;
  }
}
