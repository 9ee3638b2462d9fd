import type { Gpu } from '../fleet/fleet.ts';
import { Dice } from '../random.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import { programs, type Program, type WorkloadKind } from './programs.ts';

/** One program on one GPU from `start` to `end` (milliseconds since the epoch). */
export interface Job {
  start: number;
  end: number;
  program: Program;
  utilizationPct: number;
  memoryFraction: number;
  pid: number;
}

/** Work is planned in blocks of this length, so that any moment's plan can be made without the ones before it. */
const blockLength: Record<WorkloadKind, number> = { training: 4 * DAY, inference: 7 * DAY, interactive: DAY };

/** The jobs of one GPU, planned where they are asked for. Cheapest when asked in time order. */
export class JobPlan {
  readonly #seed: number;
  readonly #gpu: Gpu;
  readonly #length: number;
  readonly #offset: number;
  #block = Number.NaN;
  #jobs: Job[] = [];
  #cursor = -1;

  constructor(seed: number, gpu: Gpu) {
    this.#seed = seed;
    this.#gpu = gpu;
    const { workload, index } = gpu.host;
    this.#length = blockLength[workload];
    this.#offset = workload === 'interactive' ? 0 : new Dice(seed, 'block', index).integer(0, 95) * HOUR;
  }

  /** The last job that began at or before `at`, be it over or not; undefined early in a block. */
  latest(at: number): Job | undefined {
    this.#plan(Math.floor((at - this.#offset) / this.#length));
    let cursor = this.#cursor;
    while (cursor >= 0 && this.#jobs[cursor]!.start > at) cursor--;
    while (cursor + 1 < this.#jobs.length && this.#jobs[cursor + 1]!.start <= at) cursor++;
    this.#cursor = cursor;
    return this.#jobs[cursor];
  }

  /** Jobs that run at some time in (from, to], in time order. */
  between(from: number, to: number): Job[] {
    const found: Job[] = [];
    const first = Math.floor((from - this.#offset) / this.#length);
    for (let block = first; block * this.#length + this.#offset <= to; block++) {
      this.#plan(block);
      found.push(...this.#jobs.filter(({ start, end }) => end > from && start <= to));
    }
    return found;
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
  }
}

/** Long plateaus over the whole host at once, with pauses for the next experiment to be set up. */
function trainingJobs(seed: number, host: number, unit: string, start: number, end: number): Job[] {
  const together = new Dice(seed, 'training', host, start);
  const alone = new Dice(seed, 'rank', unit, start);
  const jobs: Job[] = [];
  let at = start + together.between(0, 2 * HOUR);
  while (at < end - HOUR) {
    const length = together.between(4 * HOUR, 52 * HOUR);
    jobs.push(
      jobOf(
        together,
        alone,
        programs.training,
        Math.round(at),
        Math.round(Math.min(at + length, end - 5 * MINUTE)),
      ),
    );
    at += length + together.between(10 * MINUTE, 5 * HOUR);
  }
  return jobs;
}

/** One server for a week; a new version is rolled out in its middle now and then. */
function deployment(seed: number, unit: string, start: number, end: number): Job[] {
  const dice = new Dice(seed, 'deployment', unit, start);
  if (dice.chance(0.08)) return [];
  if (dice.chance(0.7)) return [jobOf(dice, dice, programs.inference, start + MINUTE, end)];
  const rollout = Math.round(dice.between(start + DAY, end - DAY));
  return [
    jobOf(dice, dice, programs.inference, start + MINUTE, rollout),
    jobOf(dice, dice, programs.inference, rollout + dice.integer(2, 20) * MINUTE, end),
  ];
}

/** A few sessions in somebody's working day, hardly any at the week-end, and idle nights. */
function officeHours(seed: number, unit: string, start: number, busiestHour: number): Job[] {
  const dice = new Dice(seed, 'office', unit, start);
  const weekDay = new Date(start).getUTCDay();
  if (dice.chance(weekDay === 0 || weekDay === 6 ? 0.85 : 0.15)) return [];
  // The day ends with the block: whoever works past midnight UTC begins a new session then.
  const dayEnd = start + Math.min(24, busiestHour + 6) * HOUR;
  const jobs: Job[] = [];
  let at = start + Math.max(0, busiestHour - 5) * HOUR + dice.between(0, 2 * HOUR);
  while (at < dayEnd - 30 * MINUTE) {
    const end = Math.min(dayEnd, at + dice.between(20 * MINUTE, 5 * HOUR));
    jobs.push(jobOf(dice, dice, programs.interactive, Math.round(at), Math.round(end)));
    at = end + dice.between(10 * MINUTE, 2 * HOUR);
  }
  return jobs;
}

function jobOf(shared: Dice, own: Dice, choices: readonly Program[], start: number, end: number): Job {
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
