import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { Gpu, Host } from '../fleet/fleet.ts';
import { uuidOf } from '../random.ts';
import { rfc3339 } from '../time.ts';
import { hostReadings } from './host-telemetry.ts';
import type { Daemon, Workload } from './workloads.ts';

/** Interval of `host_sample` records. */
export const HOST_INTERVAL_MS = MINUTE_MS;
/** Interval of records about processes, containers, VMs and sessions. */
export const OBSERVATION_INTERVAL_MS = 15 * MINUTE_MS;
/** Length of an agent session. Agents start a new session after an update. */
export const SESSION_LENGTH_MS = 3 * DAY_MS;

const agentVersions = ['1.18.2', '1.19.0', '1.19.1', '1.20.0'];

/** Builds a `host` record. */
export function hostRecord(host: Host, at: number): string {
  return JSON.stringify({
    kind: 'host',
    ...host.owner,
    at: rfc3339(at),
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
    hostReadings(host, day + hour * HOUR_MS + HOUR_MS / 2, 'mean'),
  );
  const mean = (name: keyof (typeof hours)[number]) =>
    Math.round((hours.reduce((sum, readings) => sum + readings[name], 0) / hours.length) * 100) / 100;
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
  return JSON.stringify({
    kind: 'host_sample',
    ...host.owner,
    at: rfc3339(at),
    hostname: host.hostname,
    ...hostReadings(host, at),
  });
}

/** Builds a `container` record and the `process` record of its process. */
export function workloadRecords(host: Host, workload: Workload, at: number): string[] {
  const { containerId, name, namespace, image, pid, command, gpuIds, mps, start } = workload;
  const common = { ...host.owner, at: rfc3339(at), hostname: host.hostname };
  return [
    JSON.stringify({
      kind: 'container',
      ...common,
      container_id: containerId,
      name,
      image,
      namespace,
      started_at: rfc3339(start),
      gpu_ids: gpuIds,
      mps,
    }),
    JSON.stringify({
      kind: 'process',
      ...common,
      pid,
      started_at: rfc3339(start),
      name: command.split(' ')[0],
      command_line: command,
      container_id: containerId,
    }),
  ];
}

/** Builds a `process` record of a system process. */
export function daemonRecord(host: Host, { name, pid }: Daemon, at: number): string {
  return JSON.stringify({
    kind: 'process',
    ...host.owner,
    at: rfc3339(at),
    hostname: host.hostname,
    pid,
    started_at: rfc3339(host.bootedAt),
    name,
  });
}

/** Builds a `vm` record of the guest that a virtual GPU is assigned to. */
export function vmRecord(gpu: Gpu, at: number): string {
  const [, , guest = ''] = gpu.gpuId.split('|');
  return JSON.stringify({
    kind: 'vm',
    ...gpu.host.owner,
    at: rfc3339(at),
    vm_id: `${gpu.host.hostname}/${guest}`,
    hostname: gpu.host.hostname,
    name: guest,
    gpu_ids: [gpu.gpuId],
  });
}

/** Returns the id of the agent session on a host, which its alerts refer to. */
export function sessionId(seed: number, host: Host, at: number): string {
  return uuidOf(seed, `session of host ${host.index}`, Math.floor(at / SESSION_LENGTH_MS));
}

/** Builds an `agent_session` record. */
export function sessionRecord(seed: number, host: Host, at: number): string {
  const session = Math.floor(at / SESSION_LENGTH_MS);
  return JSON.stringify({
    kind: 'agent_session',
    ...host.owner,
    at: rfc3339(at),
    session_id: sessionId(seed, host, at),
    hostname: host.hostname,
    host_id: host.hostId,
    agent_version: agentVersions[session % agentVersions.length],
    started_at: rfc3339(session * SESSION_LENGTH_MS),
  });
}
