import { formatTimestamp, type GpuHealth } from '@gpu-observatory/domain-types';
import type { JobModel } from './job.models.ts';

/** An element of `jobsSql`. */
export interface JobRow extends Omit<JobModel, 'gpu_id' | 'is_running'> {
  is_current: boolean;
}

/** @param gpu the GPU that the job is of; nothing runs on a missing one */
export function toJob(row: JobRow, gpu: { gpu_id: string; health: GpuHealth }): JobModel {
  const { kind, pid, name, description, usage_category, namespace, pod, job, owner } = row;
  return {
    gpu_id: gpu.gpu_id,
    kind,
    pid,
    name,
    description,
    usage_category,
    namespace,
    pod,
    job,
    owner,
    first_seen: formatTimestamp(new Date(row.first_seen)),
    last_seen: formatTimestamp(new Date(row.last_seen)),
    is_running: row.is_current && gpu.health !== 'missing',
  };
}
