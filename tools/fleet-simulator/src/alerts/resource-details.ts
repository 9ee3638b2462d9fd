import {
  type AlertGpuDetails,
  type NodeDetails,
  type ProcessDetails,
  type ResourceDetails,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
} from '@gpu-observatory/domain-types';
import type { Host } from '../fleet/fleet.ts';
import type { SeededRandom } from '../random.ts';
import type { GpuTelemetry } from '../telemetry/readings.ts';
import { floorTo, rfc3339 } from '../time.ts';
import type { AlertKind, Subject } from './alert-kind.ts';
import type { AlertContext } from './alert-context.ts';

/** Probability that an alert about a subject has a section. */
const LIKELIHOOD: Record<'process' | 'memory' | 'workload' | 'container', Record<Subject, number>> = {
  process: { gpu: 0.6, host: 0.9, container: 0.9, control_plane: 0.3 },
  memory: { gpu: 0.2, host: 0.25, container: 0.25, control_plane: 0.2 },
  workload: { gpu: 0.5, host: 0.2, container: 0.6, control_plane: 0.5 },
  container: { gpu: 0.2, host: 0.1, container: 1, control_plane: 0.2 },
};

/** Builds the six detail sections (docs/fleet-api.md#alert-detail). Only `node_details` is always present. */
export function resourceDetails(
  random: SeededRandom,
  { subject }: AlertKind,
  context: AlertContext,
  telemetry: GpuTelemetry | null,
): ResourceDetails {
  const has = (section: keyof typeof LIKELIHOOD) => random.chance(LIKELIHOOD[section][subject]);
  return {
    process_details: has('process') ? processDetails(random, context) : null,
    memory_details: has('memory') ? memoryDetails(random, context) : null,
    workload_details: has('workload') ? workloadDetails(random, context) : null,
    gpu_details: telemetry && gpuDetails(random, context, telemetry),
    node_details: nodeDetails(random, context.host, context.at),
    container_details: has('container') ? containerDetails(random, context) : null,
  };
}

function processDetails(random: SeededRandom, { at, process }: AlertContext): ProcessDetails {
  const start = at - random.integer(2, 90) * SECOND_MS * random.integer(1, 60);
  return {
    title: `${process.name} under ${process.parent}`,
    process_name: process.name,
    pid: process.pid,
    start_time: rfc3339(start),
    current_status: random.pick(['running', 'running', 'sleeping', 'terminated', 'zombie']),
    last_modified: random.chance(0.3)
      ? ''
      : rfc3339(floorTo(SECOND_MS, start - random.integer(1, 400 * 24) * HOUR_MS)),
    parent_process_pid: process.parentPid,
    command_line: process.commandLine,
  };
}

function memoryDetails(random: SeededRandom, { load, host }: AlertContext): Record<string, unknown> {
  const totalMib = host.cpus * 8_192;
  const usedMib = Math.round(totalMib * random.between(0.2, 0.97));
  return {
    host_memory_total_mib: totalMib,
    host_memory_used_mib: usedMib,
    process_resident_mib: random.integer(24, Math.min(usedMib, 180_000)),
    process_virtual_mib: random.integer(200_000, 900_000),
    gpu_memory_used_mib: load?.memoryUsedMib ?? null,
    gpu_memory_total_mib: load ? host.model.memoryTotalMib : null,
    pinned_mib: random.integer(0, 16_384),
    page_faults_per_second: random.integer(0, 48_000),
  };
}

function workloadDetails(random: SeededRandom, { container, host }: AlertContext): Record<string, unknown> {
  return {
    workload_name: container.name,
    workload_kind: random.pick(['Deployment', 'Job', 'StatefulSet', 'RayCluster', 'PyTorchJob']),
    namespace: container.namespace,
    pod_name: container.pod,
    usage_category: host.workload === 'interactive' ? '' : host.workload,
    replicas: random.integer(1, 16),
    gpus_requested: random.pick([0, 1, 1, 2, 4, 8]),
    owner: random.pick(['ml-platform', 'research', 'search', 'speech', '']),
  };
}

function gpuDetails(
  random: SeededRandom,
  { at, host }: AlertContext,
  telemetry: GpuTelemetry,
): AlertGpuDetails {
  const { gpu } = telemetry;
  const readings = telemetry.readings(at);
  const text = (reading: number | null) => (reading === null ? '' : String(reading));
  const utilization: AlertGpuDetails['utilization_data'] = [];
  const temperature: AlertGpuDetails['temperature_chart'] = [];
  for (let time = floorTo(5 * MINUTE_MS, at) - 55 * MINUTE_MS; time <= at; time += 5 * MINUTE_MS) {
    const { utilizationPct, temperatureC } = telemetry.load(time);
    utilization.push({ time: time / SECOND_MS, value: Math.round(utilizationPct) });
    if (temperatureC !== null) temperature.push({ time: time / SECOND_MS, value: Math.round(temperatureC) });
  }
  return {
    gpu_id: gpu.gpuId,
    model: gpu.model.name,
    vendor: gpu.model.vendor,
    gpu_utilization: text(readings.utilization_pct),
    temperature: text(readings.temperature_c),
    driver_version: gpu.driverVersion,
    firmware_version: gpu.firmwareVersion,
    serial_number: gpu.serialNo,
    power_draw: text(readings.power_draw_w),
    fan_speed: text(readings.fan_pct),
    clock_throttle_events: text(readings.throttle_reasons === null ? null : random.integer(0, 9)),
    host_id: host.hostId,
    node: host.hostname,
    utilization_data: utilization,
    temperature_chart: temperature,
  };
}

function nodeDetails(random: SeededRandom, host: Host, at: number): NodeDetails {
  const up = at - host.bootedAt;
  const busy = random.between(4, 96);
  const minutes = String(Math.floor((up % HOUR_MS) / MINUTE_MS)).padStart(2, '0');
  return {
    node_id: host.hostname,
    uptime: `${Math.floor(up / DAY_MS)} days, ${Math.floor((up % DAY_MS) / HOUR_MS)}:${minutes}`,
    cpu_load: ((host.cpus * busy) / 100).toFixed(2),
    number_of_cpus_attached: String(host.cpus),
    cpu_utilization_average: `${busy.toFixed(1)}%`,
  };
}

function containerDetails(random: SeededRandom, { at, container }: AlertContext): Record<string, unknown> {
  return {
    container_id: container.id,
    container_name: container.name,
    image: container.image,
    namespace: container.namespace,
    pod_name: container.pod,
    runtime: 'containerd',
    privileged: random.chance(0.3),
    host_pid: random.chance(0.15),
    mounts: random.chance(0.4) ? ['/var/lib/kubelet', '/dev/shm'] : ['/dev/shm'],
    started_at: rfc3339(at - random.integer(1, 4_000) * MINUTE_MS),
  };
}
