import type { Job } from '../../src/data/queries.ts';
import { mergedJobs } from '../../src/jobs/merged-jobs.ts';

function job(gpu: string, fields: Partial<Job> = {}): Job {
  return {
    gpu_id: gpu,
    kind: 'process',
    pid: Number(gpu),
    name: 'train.py',
    description: '',
    usage_category: 'training',
    namespace: 'ml',
    pod: `train-${gpu}`,
    job: 'train',
    owner: 'ada',
    first_seen: '2026-11-25T10:00:00.000Z',
    last_seen: '2026-11-25T12:00:00.000Z',
    is_running: true,
    ...fields,
  };
}

it('merges the processes of a job on several GPUs, with the first and last time', () => {
  const [merged, ...others] = mergedJobs([
    job('1'),
    job('2', { first_seen: '2026-11-25T09:00:00.000Z', last_seen: '2026-11-25T12:00:05.000Z' }),
  ]);
  expect(others).toEqual([]);
  expect(merged).toMatchObject({
    gpuIds: ['1', '2'],
    pids: [1, 2],
    pods: ['train-1', 'train-2'],
    first_seen: '2026-11-25T09:00:00.000Z',
    last_seen: '2026-11-25T12:00:05.000Z',
  });
});

it('keeps jobs of other owners, and those that have ended, apart', () => {
  const merged = mergedJobs([job('1'), job('1', { owner: 'alan' }), job('1', { is_running: false })]);
  expect(merged.map(({ owner, is_running }) => [owner, is_running])).toEqual([
    ['ada', true],
    ['alan', true],
    ['ada', false],
  ]);
});
