import { formatTimestamp, type GpuHealth } from '@gpu-observatory/domain-types';
import type { JobModel } from './job.models.ts';

/** An element of `jobsSql`. */
export interface JobRow extends Omit<JobModel, 'gpu_id' | 'is_running'> {
  is_current: boolean;
}

/** @param gpu the GPU that the job is of; nothing runs on a missing one */
export function toJob(
  { is_current, ...job }: JobRow,
  { gpu_id, health }: { gpu_id: string; health: GpuHealth },
): JobModel {
  return {
    gpu_id,
    ...job,
    first_seen: formatTimestamp(new Date(job.first_seen)),
    last_seen: formatTimestamp(new Date(job.last_seen)),
    is_running: is_current && health !== 'missing',
  };
}
