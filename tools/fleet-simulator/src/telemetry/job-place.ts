import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { Gpu } from '../fleet/fleet.ts';
import { uuidOf } from '../random.ts';
import type { Job } from './jobs.ts';
import { programs, type WorkloadKind } from './programs.ts';

/** Fields of a `gpu_process` record: where the process belongs. */
interface JobPlace {
  namespace?: string;
  pod?: string;
  job?: string;
  owner?: string;
}

const NAMESPACES: Record<WorkloadKind, string> = {
  training: 'training',
  inference: 'serving',
  interactive: 'notebooks',
};
const OWNERS = ['ml-platform', 'research', 'search', 'speech'];

/** Returns the pod of a job, without random draws: they would change those that follow. A job of a story runs outside Kubernetes. */
export function placeOf(gpu: Gpu, { program, start, pid }: Job): JobPlace {
  const { host } = gpu;
  if (!programs[host.workload].includes(program)) return {};
  const place = { namespace: NAMESPACES[host.workload], owner: OWNERS[host.index % OWNERS.length] as string };
  const words = program.name.split(' ');
  const script = words.find((word) => word.endsWith('.py')) ?? (words[0] as string);
  const name = script.replace(/\.py$/, '').replaceAll('_', '-');
  if (host.workload === 'training') {
    // The jobs of a host start together: they are the workers of one job.
    const job = `${name}-${Math.floor(start / SECOND_MS) % 100_000}`;
    return { ...place, job, pod: `${job}-worker-${gpu.index % host.gpus.length}` };
  }
  const suffix = uuidOf(pid, 'pod', gpu.index);
  return { ...place, pod: `${name}-${suffix.slice(0, 8)}-${suffix.slice(-5)}` };
}
