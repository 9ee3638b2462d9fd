import { DAY_MS, HOUR_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { sampleNames } from '../alerts/sample-names.ts';
import type { Gpu, Host } from '../fleet/fleet.ts';
import { SeededRandom, uuidOf } from '../random.ts';
import { programs } from '../telemetry/programs.ts';

/** A container with its process, from `start` to `end` (ms since the epoch). */
export interface Workload {
  start: number;
  end: number;
  containerId: string;
  name: string;
  namespace: string;
  image: string;
  pid: number;
  command: string;
  gpuIds: string[];
  mps: boolean;
}

/** A system process, running since the host booted. */
export interface Daemon {
  name: string;
  pid: number;
}

/** Length of a planning block. Each block can be planned without the previous ones. */
const BLOCK_MS = 3 * DAY_MS;
/** Maximum duration of a workload. */
const LONGEST_MS = 2 * DAY_MS;

/** Containers on every host: name, namespace, image. */
const systemContainers = [
  ['dcgm-exporter', 'gpu-operator', 'nvcr.io/nvidia/k8s/dcgm-exporter:4.4.0'],
  ['device-plugin', 'gpu-operator', 'nvcr.io/nvidia/k8s-device-plugin:v0.17.4'],
  ['node-exporter', 'kube-system', 'quay.io/prometheus/node-exporter:v1.9.1'],
] as const;
const daemonNames = ['systemd', 'sshd', 'containerd', 'kubelet', 'nvidia-persistenced'];

/** Returns the workloads on a host that run at some time in (from, to]. */
export function workloadsBetween(seed: number, host: Host, from: number, to: number): Workload[] {
  const found = systemWorkloads(seed, host);
  for (let block = Math.floor((from - LONGEST_MS) / BLOCK_MS); block * BLOCK_MS <= to; block++)
    found.push(...plannedWorkloads(seed, host, block));
  return found.filter(({ start, end }) => end > from && start <= to);
}

export function daemonsOf(host: Host): Daemon[] {
  return daemonNames.map((name, i) => ({ name, pid: i === 0 ? 1 : 700 + i * 131 + (host.index % 17) }));
}

function systemWorkloads(seed: number, host: Host): Workload[] {
  return systemContainers.map(([name, namespace, image], i) => ({
    start: host.bootedAt,
    end: Number.POSITIVE_INFINITY,
    containerId: containerIdOf(seed, `system container ${i}`, host.index),
    name,
    namespace,
    image,
    pid: 2_000 + i,
    command: `/usr/bin/${name}`,
    gpuIds: [],
    mps: false,
  }));
}

function plannedWorkloads(seed: number, host: Host, block: number): Workload[] {
  const random = new SeededRandom(seed, 'workloads', host.index, block);
  return Array.from({ length: random.integer(1, 3) }, (_unused, i) => {
    const start = block * BLOCK_MS + random.integer(0, BLOCK_MS / SECOND_MS - 1) * SECOND_MS;
    const name = random.pick(sampleNames.workloads);
    const gpus = random.chance(0.85) ? pickGpus(random, host.gpus) : [];
    return {
      start: Math.max(start, host.bootedAt),
      end: start + random.integer(2 * HOUR_MS, LONGEST_MS),
      containerId: containerIdOf(seed, `container ${i} of host ${host.index}`, block),
      name,
      namespace: random.pick(sampleNames.namespaces),
      image: random.pick(sampleNames.images),
      pid: random.integer(3_000, 4_100_000),
      command: random.pick(programs[host.workload]).name,
      gpuIds: gpus.map(({ gpuId }) => gpuId),
      mps: gpus.length > 0 && host.workload === 'inference' && random.chance(0.4),
    };
  });
}

function pickGpus(random: SeededRandom, gpus: readonly Gpu[]): Gpu[] {
  const count = random.pick([1, 1, 2, 4]);
  const first = random.integer(0, Math.max(0, gpus.length - count));
  return gpus.slice(first, first + count);
}

function containerIdOf(seed: number, name: string, number: number): string {
  return `containerd://${`${uuidOf(seed, name, number)}${uuidOf(seed, `rest of ${name}`, number)}`.replaceAll('-', '')}`;
}
