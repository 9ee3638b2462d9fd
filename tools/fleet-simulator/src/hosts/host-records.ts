import type { Gpu, Host } from '../fleet/fleet.ts';
import { uuidOf } from '../random.ts';
import { DAY, HOUR, MINUTE, rfc3339 } from '../time.ts';
import { hostReadings } from './host-telemetry.ts';
import type { Daemon, Workload } from './workloads.ts';

/** How often a host is read, and how often what is on it is looked at. */
export const HOST_INTERVAL = MINUTE;
export const SIGHTING_INTERVAL = 15 * MINUTE;
/** An agent begins a new session when it is updated. */
export const SESSION_LENGTH = 3 * DAY;

const agentVersions = ['1.18.2', '1.19.0', '1.19.1', '1.20.0'];

/** A `host` record: what the host is. */
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
  });
}

/** A `host_day` record of the UTC day that begins at `day`. */
export function hostDayRecord(host: Host, day: number): string {
  const hours = Array.from({ length: 24 }, (_unused, hour) =>
    hostReadings(host, day + hour * HOUR + HOUR / 2, 'mean'),
  );
  const mean = (name: keyof (typeof hours)[number]) =>
    Math.round((hours.reduce((sum, readings) => sum + readings[name], 0) / hours.length) * 100) / 100;
  return JSON.stringify({
    kind: 'host_day',
    ...host.owner,
    day: rfc3339(day).slice(0, 10),
    hostname: host.hostname,
    samples: DAY / HOST_INTERVAL,
    cpu_load_1m: mean('cpu_load_1m'),
    cpu_utilization_pct: mean('cpu_utilization_pct'),
    forks_per_second: mean('forks_per_second'),
    exits_per_second: mean('exits_per_second'),
  });
}

/** A `host_sample` record. */
export function hostSampleRecord(host: Host, at: number): string {
  return JSON.stringify({
    kind: 'host_sample',
    ...host.owner,
    at: rfc3339(at),
    hostname: host.hostname,
    ...hostReadings(host, at),
  });
}

/** A `container` record and the `process` record of what runs in it. */
export function workloadRecords(host: Host, workload: Workload, at: number): string[] {
  const { containerId, name, namespace, image, pid, command, gpuIds, mps, start } = workload;
  const whose = { ...host.owner, at: rfc3339(at), hostname: host.hostname };
  return [
    JSON.stringify({
      kind: 'container',
      ...whose,
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
      ...whose,
      pid,
      started_at: rfc3339(start),
      name: command.split(' ')[0],
      command_line: command,
      container_id: containerId,
    }),
  ];
}

/** A `process` record of something that belongs to the host itself. */
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

/** A `vm` record: the guest that a virtual GPU belongs to. */
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

/** The agent's session on a host: the same one that the host's alerts name. */
export function sessionId(seed: number, host: Host, at: number): string {
  return uuidOf(seed, `session of host ${host.index}`, Math.floor(at / SESSION_LENGTH));
}

/** An `agent_session` record. */
export function sessionRecord(seed: number, host: Host, at: number): string {
  const session = Math.floor(at / SESSION_LENGTH);
  return JSON.stringify({
    kind: 'agent_session',
    ...host.owner,
    at: rfc3339(at),
    session_id: sessionId(seed, host, at),
    hostname: host.hostname,
    host_id: host.hostId,
    agent_version: agentVersions[session % agentVersions.length],
    started_at: rfc3339(session * SESSION_LENGTH),
  });
}
