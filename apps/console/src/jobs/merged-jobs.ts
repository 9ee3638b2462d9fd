import type { Job } from '../data/queries.ts';

/** A job on the GPUs that it runs or ran on. */
export interface MergedJob extends Omit<Job, 'gpu_id' | 'pid' | 'pod'> {
  gpuIds: string[];
  /** Empty without processes. */
  pids: number[];
  /** Empty when unknown. */
  pods: string[];
}

/** Merges the processes of one job on several GPUs, such as the ranks of a training, with the first and last time of all. */
export function mergedJobs(jobs: Job[]): MergedJob[] {
  const groups = Map.groupBy(
    jobs,
    ({ name, description, usage_category, namespace, job, owner, is_running }) =>
      JSON.stringify([name, description, usage_category, namespace, job, owner, is_running]),
  );
  return [...groups.values()].map((group) => {
    const { gpu_id: _gpu, pid: _pid, pod: _pod, ...first } = group[0] as Job;
    return {
      ...first,
      gpuIds: [...new Set(group.map(({ gpu_id }) => gpu_id))],
      pids: group.flatMap(({ pid }) => pid ?? []),
      pods: [...new Set(group.flatMap(({ pod }) => (pod === '' ? [] : pod)))],
      first_seen: group.map(({ first_seen }) => first_seen).sort()[0] as string,
      last_seen: group
        .map(({ last_seen }) => last_seen)
        .sort()
        .at(-1) as string,
    };
  });
}
