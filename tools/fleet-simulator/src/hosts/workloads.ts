import { sceneNames } from '../alerts/scene-names.ts';
import type { Gpu, Host } from '../fleet/fleet.ts';
import { Dice, uuidOf } from '../random.ts';
import { programs } from '../telemetry/programs.ts';
import { DAY, HOUR, SECOND } from '../time.ts';

/** A container with its process, from `start` to `end` (milliseconds since the epoch). */
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

/** A process of the host itself, there since it was booted. */
export interface Daemon {
  name: string;
  pid: number;
}

/** Workloads are planned in blocks of this length, so that any moment's plan can be made without the ones before. */
const BLOCK = 3 * DAY;
const LONGEST = 2 * DAY;

/** What runs in a container on every host. */
const systemContainers = [
  ['dcgm-exporter', 'gpu-operator', 'nvcr.io/nvidia/k8s/dcgm-exporter:4.4.0'],
  ['device-plugin', 'gpu-operator', 'nvcr.io/nvidia/k8s-device-plugin:v0.17.4'],
  ['node-exporter', 'kube-system', 'quay.io/prometheus/node-exporter:v1.9.1'],
] as const;
const daemonNames = ['systemd', 'sshd', 'containerd', 'kubelet', 'nvidia-persistenced'];

/** All that runs in containers on a host at some time in (from, to], in the order of their begin. */
export function workloadsBetween(seed: number, host: Host, from: number, to: number): Workload[] {
  const found = systemWorkloads(seed, host);
  for (let block = Math.floor((from - LONGEST) / BLOCK); block * BLOCK <= to; block++)
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
  const dice = new Dice(seed, 'workloads', host.index, block);
  return Array.from({ length: dice.integer(1, 3) }, (_unused, i) => {
    const start = block * BLOCK + dice.integer(0, BLOCK / SECOND - 1) * SECOND;
    const name = dice.pick(sceneNames.workloads);
    const gpus = dice.chance(0.85) ? picked(dice, host.gpus) : [];
    return {
      start: Math.max(start, host.bootedAt),
      end: start + dice.integer(2 * HOUR, LONGEST),
      containerId: containerIdOf(seed, `container ${i} of host ${host.index}`, block),
      name,
      namespace: dice.pick(sceneNames.namespaces),
      image: dice.pick(sceneNames.images),
      pid: dice.integer(3_000, 4_100_000),
      command: dice.pick(programs[host.workload]).name,
      gpuIds: gpus.map(({ gpuId }) => gpuId),
      mps: gpus.length > 0 && host.workload === 'inference' && dice.chance(0.4),
    };
  });
}

function picked(dice: Dice, gpus: readonly Gpu[]): Gpu[] {
  const count = dice.pick([1, 1, 2, 4]);
  const first = dice.integer(0, Math.max(0, gpus.length - count));
  return gpus.slice(first, first + count);
}

function containerIdOf(seed: number, name: string, number: number): string {
  return `containerd://${`${uuidOf(seed, name, number)}${uuidOf(seed, `rest of ${name}`, number)}`.replaceAll('-', '')}`;
}
