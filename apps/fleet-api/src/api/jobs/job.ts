import { formatTimestamp, type GpuHealth } from '@gpu-observatory/domain-types';
import type { JobModel } from './job.models.ts';

/** A job as `jobsSql` returns it. `is_current` is false for a job that has ended. */
export interface JobRow extends Omit<JobModel, 'gpu_id' | 'is_running'> {
  is_current: boolean;
}

/** Converts a job of a GPU. On a missing GPU, no job counts as running. */
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
