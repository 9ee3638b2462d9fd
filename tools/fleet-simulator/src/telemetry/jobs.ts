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

/** Length of a planning block. Each block can be planned without the previous ones. */
const blockLength: Record<WorkloadKind, number> = {
  training: 4 * DAY_MS,
  inference: 7 * DAY_MS,
  interactive: DAY_MS,
};

/** The jobs of one GPU, planned on demand. Queries in time order are cheapest. */
export class JobPlan {
  readonly #seed: number;
  readonly #gpu: Gpu;
  /** Job of a story, which replaces planned ones. */
  readonly #scripted: Job | undefined;
  readonly #length: number;
  readonly #offset: number;
  #block = Number.NaN;
  #jobs: Job[] = [];
  #cursor = -1;

  constructor(seed: number, gpu: Gpu, scripted?: Job) {
    this.#seed = seed;
    this.#scripted = scripted;
    this.#gpu = gpu;
    const { workload, index } = gpu.host;
    this.#length = blockLength[workload];
    this.#offset =
      workload === 'interactive' ? 0 : new SeededRandom(seed, 'block', index).integer(0, 95) * HOUR_MS;
  }

  /** Returns the last job of the block that began at or before `at`, even if it has ended. */
  latest(at: number): Job | undefined {
    this.#plan(Math.floor((at - this.#offset) / this.#length));
    let cursor = this.#cursor;
    while (cursor >= 0 && this.#jobs[cursor]!.start > at) cursor--;
    while (cursor + 1 < this.#jobs.length && this.#jobs[cursor + 1]!.start <= at) cursor++;
    this.#cursor = cursor;
    return this.#jobs[cursor];
  }

  /** Returns the jobs that run at some time in (from, to], in time order. */
  between(from: number, to: number): Job[] {
    const found: Job[] = [];
    const first = Math.floor((from - this.#offset) / this.#length);
    for (let block = first; block * this.#length + this.#offset <= to; block++) {
      this.#plan(block);
      found.push(...this.#jobs.filter(({ start, end }) => end > from && start <= to));
    }
    return [...new Set(found)];
  }

  #plan(block: number): void {
    if (block === this.#block) return;
    this.#block = block;
    this.#cursor = -1;
    const start = block * this.#length + this.#offset;
    const { workload, index: host, busiestHour } = this.#gpu.host;
    const unit = `${this.#gpu.index}`;
    if (workload === 'training')
      this.#jobs = trainingJobs(this.#seed, host, unit, start, start + this.#length);
    else if (workload === 'inference') this.#jobs = deployment(this.#seed, unit, start, start + this.#length);
    else this.#jobs = officeHours(this.#seed, unit, start, busiestHour);
    const scripted = this.#scripted;
    if (scripted && scripted.end > start && scripted.start < start + this.#length)
      this.#jobs = withScriptedJob(this.#jobs, scripted);
  }
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

/** Plans long jobs on all GPUs of a host at once, with pauses between experiments. */
function trainingJobs(seed: number, host: number, unit: string, start: number, end: number): Job[] {
  const hostRandom = new SeededRandom(seed, 'training', host, start);
  const gpuRandom = new SeededRandom(seed, 'rank', unit, start);
  const jobs: Job[] = [];
  let at = start + hostRandom.between(0, 2 * HOUR_MS);
  while (at < end - HOUR_MS) {
    const length = hostRandom.between(4 * HOUR_MS, 52 * HOUR_MS);
    jobs.push(
      jobOf(
        hostRandom,
        gpuRandom,
        programs.training,
        Math.round(at),
        Math.round(Math.min(at + length, end - 5 * MINUTE_MS)),
      ),
    );
    at += length + hostRandom.between(10 * MINUTE_MS, 5 * HOUR_MS);
  }
  return jobs;
}

/** Plans one inference server for a week. Some weeks have a rollout of a new version. */
function deployment(seed: number, unit: string, start: number, end: number): Job[] {
  const random = new SeededRandom(seed, 'deployment', unit, start);
  if (random.chance(0.08)) return [];
  if (random.chance(0.7)) return [jobOf(random, random, programs.inference, start + MINUTE_MS, end)];
  const rollout = Math.round(random.between(start + DAY_MS, end - DAY_MS));
  return [
    jobOf(random, random, programs.inference, start + MINUTE_MS, rollout),
    jobOf(random, random, programs.inference, rollout + random.integer(2, 20) * MINUTE_MS, end),
  ];
}

/** Plans a few interactive sessions during working hours, fewer at weekends. */
function officeHours(seed: number, unit: string, start: number, busiestHour: number): Job[] {
  const random = new SeededRandom(seed, 'office', unit, start);
  const weekDay = new Date(start).getUTCDay();
  if (random.chance(weekDay === 0 || weekDay === 6 ? 0.85 : 0.15)) return [];
  // A block is one UTC day, so no session crosses midnight.
  const dayEnd = start + Math.min(24, busiestHour + 6) * HOUR_MS;
  const jobs: Job[] = [];
  let at = start + Math.max(0, busiestHour - 5) * HOUR_MS + random.between(0, 2 * HOUR_MS);
  while (at < dayEnd - 30 * MINUTE_MS) {
    const end = Math.min(dayEnd, at + random.between(20 * MINUTE_MS, 5 * HOUR_MS));
    jobs.push(jobOf(random, random, programs.interactive, Math.round(at), Math.round(end)));
    at = end + random.between(10 * MINUTE_MS, 2 * HOUR_MS);
  }
  return jobs;
}

function jobOf(
  shared: SeededRandom,
  own: SeededRandom,
  choices: readonly Program[],
  start: number,
  end: number,
): Job {
  const program = shared.pick(choices);
  const level = shared.between(...program.utilizationPct);
  return {
    start,
    end,
    program,
    utilizationPct: Math.min(100, level + own.between(-1.5, 1.5)),
    memoryFraction: Math.min(0.97, shared.between(...program.memoryFraction) + own.between(-0.01, 0.01)),
    pid: own.integer(2_100, 4_100_000),
  };
}
