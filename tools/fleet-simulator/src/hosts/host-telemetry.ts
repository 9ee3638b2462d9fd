import { MINUTE_MS } from '@gpu-observatory/domain-types';
import type { Host } from '../fleet/fleet.ts';
import { noise } from '../random.ts';
import { rounded } from '../record.ts';
import type { WorkloadKind } from '../telemetry/programs.ts';
import { dayRhythm } from '../telemetry/readings.ts';

/** CPU utilization at the quietest hour, and the increase at the busiest hour, in percent. */
const cpuUtilization: Record<WorkloadKind, readonly [quiet: number, increase: number]> = {
  training: [38, 9],
  inference: [16, 34],
  interactive: [4, 27],
};

/** Returns the readings of a `host_sample` record. */
export function hostReadings(host: Host, at: number) {
  const [quiet, increase] = cpuUtilization[host.workload];
  const jitter = noise(host.index + 31, at / MINUTE_MS);
  const hostOffset = noise(host.index, 5_003);
  const percent = Math.max(
    1,
    quiet + hostOffset * 6 + increase * dayRhythm(at, host.busiestHour) + jitter * 4,
  );
  const forks = 1.5 + percent / 9 + Math.max(0, jitter) * 2;
  return {
    cpu_load_1m: rounded((host.cpus * percent) / 100 + Math.abs(jitter), 2),
    cpu_utilization_pct: rounded(percent, 1),
    forks_per_second: rounded(forks, 2),
    // Processes exit shortly after they are forked, so both rates are nearly equal.
    exits_per_second: rounded(forks - 0.02 + jitter * 0.05, 2),
  };
}
