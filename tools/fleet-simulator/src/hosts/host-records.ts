import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { Gpu, Host } from '../fleet/fleet.ts';
import { uuidOf } from '../random.ts';
import { recordLine, rounded } from '../record.ts';
import { rfc3339 } from '../time.ts';
import { hostReadings } from './host-telemetry.ts';
import type { Workload } from './workloads.ts';

/** Interval of `host_sample` records. */
export const HOST_INTERVAL_MS = MINUTE_MS;
/** Interval of records about processes, containers, VMs and sessions. */
export const OBSERVATION_INTERVAL_MS = 15 * MINUTE_MS;
/** Length of an agent session. Agents start a new session after an update. */
export const SESSION_LENGTH_MS = 3 * DAY_MS;

/** Builds a `host` record. */
export function hostRecord(host: Host, at: number): string {
  return recordLine('host', host.owner, at, {
    hostname: host.hostname,
    host_id: host.hostId,
    cpus: host.cpus,
    memory_total_mib: host.cpus * 8_192,
    operating_system: 'Ubuntu 24.04.3 LTS',
    kernel: '6.8.0-85-generic',
    started_at: rfc3339(host.bootedAt),
  });
}

/** Builds a `host_day` record of the UTC day that begins at `day`. */
export function hostDayRecord(host: Host, day: number): string {
  const hours = Array.from({ length: 24 }, (_unused, hour) =>
    hostReadings(host, day + hour * HOUR_MS + HOUR_MS / 2),
  );
  const mean = (name: keyof (typeof hours)[number]) =>
    rounded(hours.reduce((sum, readings) => sum + readings[name], 0) / hours.length, 2);
  return JSON.stringify({
    kind: 'host_day',
    ...host.owner,
    day: rfc3339(day).slice(0, 10),
    hostname: host.hostname,
    samples: DAY_MS / HOST_INTERVAL_MS,
    cpu_load_1m: mean('cpu_load_1m'),
    cpu_utilization_pct: mean('cpu_utilization_pct'),
    forks_per_second: mean('forks_per_second'),
    exits_per_second: mean('exits_per_second'),
  });
}

/** Builds a `host_sample` record. */
export function hostSampleRecord(host: Host, at: number): string {
  return recordLine('host_sample', host.owner, at, { hostname: host.hostname, ...hostReadings(host, at) });
}

/** Builds a `container` record and the `process` record of its process. */
export function workloadRecords(
  { owner, hostname }: Host,
  { containerId, pid, gpuIds, mps, start }: Workload,
  at: number,
): string[] {
  const common = { hostname, container_id: containerId };
  return [
    recordLine('container', owner, at, { ...common, gpu_ids: gpuIds, mps }),
    recordLine('process', owner, at, { ...common, pid, started_at: rfc3339(start) }),
  ];
}

/** Builds a `process` record of a system process, which runs since the host booted. */
export function daemonRecord({ owner, hostname, bootedAt }: Host, pid: number, at: number): string {
  return recordLine('process', owner, at, { hostname, pid, started_at: rfc3339(bootedAt) });
}

/** Builds a `vm` record of the guest that a virtual GPU is assigned to. */
export function vmRecord({ gpuId, host: { owner, hostname } }: Gpu, at: number): string {
  const [, , guest] = gpuId.split('|');
  return recordLine('vm', owner, at, { vm_id: `${hostname}/${guest}`, hostname, gpu_ids: [gpuId] });
}

/** Returns the id of the agent session on a host, which its alerts refer to. */
export function sessionId(seed: number, host: Host, at: number): string {
  return uuidOf(seed, `session of host ${host.index}`, Math.floor(at / SESSION_LENGTH_MS));
}

/** Builds an `agent_session` record. */
export function sessionRecord(seed: number, host: Host, at: number): string {
  const session_id = sessionId(seed, host, at);
  return recordLine('agent_session', host.owner, at, { session_id, hostname: host.hostname });
}
