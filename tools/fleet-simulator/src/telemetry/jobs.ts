import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { Gpu } from '../fleet/fleet.ts';
import { SeededRandom } from '../random.ts';
import { programs, type Program, type WorkloadKind } from './programs.ts';

/** One program on one GPU from `start` to `end` (ms since the epoch). */
export interface Job {
  start: number;
  end: number;
  program: Program;
  utilizationPct: number;
  memoryFraction: number;
  pid: number;
}

/** When jobs of a kind run. Each block of time can be planned without the previous ones. */
interface Schedule {
  blockMs: number;
  jobMs: readonly [min: number, max: number];
  pauseMs: readonly [min: number, max: number];
  /** Share of blocks without jobs. */
  idleShare: number;
  /** Whether all GPUs of a host run the same jobs. */
  isShared?: boolean;
  /** Whether jobs run in working hours alone, which are around the busiest hour, and rarely at weekends. */
  inWorkingHours?: boolean;
}

const SCHEDULES: Record<WorkloadKind, Schedule> = {
  // Long jobs, with pauses between experiments.
  training: {
    blockMs: 4 * DAY_MS,
    jobMs: [4 * HOUR_MS, 52 * HOUR_MS],
    pauseMs: [10 * MINUTE_MS, 5 * HOUR_MS],
    idleShare: 0,
    isShared: true,
  },
  // Servers, which restart for the rollout of a new version.
  inference: {
    blockMs: 7 * DAY_MS,
    jobMs: [2 * DAY_MS, 14 * DAY_MS],
    pauseMs: [2 * MINUTE_MS, 20 * MINUTE_MS],
    idleShare: 0.08,
  },
  // A few sessions a day. A block is one UTC day, so no session crosses midnight.
  interactive: {
    blockMs: DAY_MS,
    jobMs: [20 * MINUTE_MS, 5 * HOUR_MS],
    pauseMs: [10 * MINUTE_MS, 2 * HOUR_MS],
    idleShare: 0.15,
    inWorkingHours: true,
  },
};

/** The jobs of one GPU. */
export interface JobPlan {
  /** Returns the last job of the block that began at or before `at`, even if it has ended. */
  latest(at: number): Job | undefined;
  /** Returns the jobs that run at some time in (from, to], in time order. */
  between(from: number, to: number): Job[];
}

/**
 * Plans the jobs of a GPU on demand. Queries in time order are cheapest.
 *
 * @param scripted job of a story, which replaces planned ones
 */
export function jobPlan(seed: number, gpu: Gpu, scripted?: Job): JobPlan {
  const schedule = SCHEDULES[gpu.host.workload];
  const { blockMs, inWorkingHours } = schedule;
  const offset = inWorkingHours
    ? 0
    : new SeededRandom(seed, 'block', gpu.host.index).integer(0, 95) * HOUR_MS;
  let planned = { block: Number.NaN, jobs: [] as Job[] };
  const jobsOf = (block: number) => {
    if (block === planned.block) return planned.jobs;
    const start = block * blockMs + offset;
    const end = start + blockMs;
    const jobs = planJobs(seed, gpu, schedule, start, end);
    const isScripted = scripted && scripted.end > start && scripted.start < end;
    planned = { block, jobs: isScripted ? withScriptedJob(jobs, scripted) : jobs };
    return planned.jobs;
  };
  const blockOf = (at: number) => Math.floor((at - offset) / blockMs);
  return {
    latest: (at) => jobsOf(blockOf(at)).findLast(({ start }) => start <= at),
    between: (from, to) => {
      const found: Job[] = [];
      for (let block = blockOf(from); block <= blockOf(to); block++)
        found.push(...jobsOf(block).filter(({ start, end }) => end > from && start <= to));
      return [...new Set(found)];
    },
  };
}

/** Inserts a job, and shortens or removes the planned ones at the same time. */
function withScriptedJob(planned: readonly Job[], scripted: Job): Job[] {
  return [
    ...planned
      .filter(({ start }) => start < scripted.start)
      .map((job) => ({ ...job, end: Math.min(job.end, scripted.start) })),
    scripted,
    ...planned.filter(({ start }) => start >= scripted.end),
  ];
}

/** Plans jobs one after the other in a block of time. */
function planJobs(seed: number, { host, index }: Gpu, schedule: Schedule, start: number, end: number): Job[] {
  const own = new SeededRandom(seed, 'rank', index, start);
  const shared = schedule.isShared ? new SeededRandom(seed, 'jobs', host.index, start) : own;
  const { jobMs, pauseMs, idleShare, inWorkingHours } = schedule;
  const isWeekend = [0, 6].includes(new Date(start).getUTCDay());
  if (shared.chance(inWorkingHours && isWeekend ? 0.85 : idleShare)) return [];
  const from = inWorkingHours ? start + Math.max(0, host.busiestHour - 5) * HOUR_MS : start;
  const to = inWorkingHours ? start + Math.min(24, host.busiestHour + 6) * HOUR_MS : end - 5 * MINUTE_MS;
  const jobs: Job[] = [];
  let at = from + shared.between(0, Math.min(2 * HOUR_MS, pauseMs[1]));
  while (at < to - 30 * MINUTE_MS) {
    const until = Math.min(to, at + shared.between(...jobMs));
    const program = shared.pick(programs[host.workload]);
    const level = shared.between(...program.utilizationPct);
    const memory = shared.between(...program.memoryFraction);
    jobs.push({
      start: Math.round(at),
      end: Math.round(until),
      program,
      utilizationPct: Math.min(100, level + own.between(-1.5, 1.5)),
      memoryFraction: Math.min(0.97, memory + own.between(-0.01, 0.01)),
      pid: own.integer(2_100, 4_100_000),
    });
    at = until + shared.between(...pauseMs);
  }
  return jobs;
}
