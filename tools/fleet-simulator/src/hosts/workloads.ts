import { DAY_MS, HOUR_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Gpu, Host } from '../fleet/fleet.ts';
import { SeededRandom, uuidOf } from '../random.ts';

/**
 * A container with its process, from `start` to `end` (ms since the epoch). Without names: the API only counts containers
 * and processes.
 */
export interface Workload {
  start: number;
  end: number;
  containerId: string;
  pid: number;
  gpuIds: string[];
  mps: boolean;
}

/** Length of a planning block. Each block can be planned without the previous ones. */
const BLOCK_MS = 3 * DAY_MS;
/** Maximum duration of a workload. */
const LONGEST_MS = 2 * DAY_MS;

/** Containers on every host: of the GPU operator and of monitoring. */
const SYSTEM_CONTAINERS = 3;
/** Processes on every host outside of containers, with init. */
const DAEMONS = 5;

/** Returns the workloads on a host that run at some time in (from, to]. */
export function workloadsBetween(seed: number, host: Host, from: number, to: number): Workload[] {
  const found = systemWorkloads(seed, host);
  for (let block = Math.floor((from - LONGEST_MS) / BLOCK_MS); block * BLOCK_MS <= to; block++)
    found.push(...plannedWorkloads(seed, host, block));
  return found.filter(({ start, end }) => end > from && start <= to);
}

/** Returns the process ids of the system processes of a host. */
export function daemonsOf(host: Host): number[] {
  return Array.from({ length: DAEMONS }, (_unused, i) => (i === 0 ? 1 : 700 + i * 131 + (host.index % 17)));
}

function systemWorkloads(seed: number, host: Host): Workload[] {
  return Array.from({ length: SYSTEM_CONTAINERS }, (_unused, i) => ({
    start: host.bootedAt,
    end: Number.POSITIVE_INFINITY,
    containerId: containerIdOf(seed, `system container ${i}`, host.index),
    pid: 2_000 + i,
    gpuIds: [],
    mps: false,
  }));
}

function plannedWorkloads(seed: number, host: Host, block: number): Workload[] {
  const random = new SeededRandom(seed, 'workloads', host.index, block);
  return Array.from({ length: random.integer(1, 3) }, (_unused, i) => {
    const start = block * BLOCK_MS + random.integer(0, BLOCK_MS / SECOND_MS - 1) * SECOND_MS;
    const gpus = random.chance(0.85) ? pickGpus(random, host.gpus) : [];
    return {
      start: Math.max(start, host.bootedAt),
      end: start + random.integer(2 * HOUR_MS, LONGEST_MS),
      containerId: containerIdOf(seed, `container ${i} of host ${host.index}`, block),
      pid: random.integer(3_000, 4_100_000),
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
  return `containerd://${uuidOf(seed, name, number)}`;
}
