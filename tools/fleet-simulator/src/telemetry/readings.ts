import type { Gpu } from '../fleet/fleet.ts';
import { noise } from '../random.ts';
import { HOUR, MINUTE, SECOND } from '../time.ts';
import { silentSince, type Incident, type IncidentCalendar } from './incidents.ts';
import { JobPlan, type Job } from './jobs.ts';

/** The readings of a `gpu_sample` record; null: this GPU or its exporter does not report it. */
export interface Readings {
  utilization_pct: number;
  memory_used_mib: number;
  memory_total_mib: number;
  temperature_c: number | null;
  power_draw_w: number | null;
  power_limit_w: number | null;
  fan_pct: number | null;
  sm_clock_mhz: number;
  memory_clock_mhz: number;
  xid_last_code: number | null;
  throttle_reasons: number | null;
  ecc_single_bit_total: number | null;
  ecc_double_bit_total: number | null;
  row_remap_failed: boolean | null;
  row_remap_pending: boolean | null;
  nvlink_errors_total: number | null;
  pcie_replays_total: number | null;
}

/** The part of a reading that follows from the work alone: what half-hour means are made of. */
export interface Load {
  utilizationPct: number;
  memoryUsedMib: number;
  temperatureC: number | null;
  powerDrawW: number | null;
}

/** What one GPU reads at any moment: a function of the moment, so that the feed goes on where the history ends. */
export class GpuTelemetry {
  readonly jobs: JobPlan;
  readonly #gpu: Gpu;
  readonly #calendar: IncidentCalendar;
  readonly #warmth: number;

  constructor(seed: number, gpu: Gpu, calendar: IncidentCalendar) {
    this.#gpu = gpu;
    this.#calendar = calendar;
    this.jobs = new JobPlan(seed, gpu);
    this.#warmth = 3 * noise(seed, gpu.index);
  }

  incidents(until: number): readonly Incident[] {
    return this.#calendar.of(this.#gpu, until);
  }

  /** Whether the GPU is heard at `at`. */
  reports(at: number): boolean {
    return !this.incidents(at).some(
      (incident) => incident.fault.sign === 'silence' && silentSince(incident) <= at && at < incident.end,
    );
  }

  /** At that very moment, or as it is on average around it. */
  load(at: number, around: 'moment' | 'mean' = 'moment'): Load {
    const { model, index, host } = this.#gpu;
    const job = this.jobs.latest(at);
    const running = job !== undefined && at < job.end;
    const jitter = noise(index, at / (15 * SECOND)) * (around === 'mean' ? 0.4 : 1);
    const dips = around === 'moment';
    const utilizationPct = running ? utilizationOf(job, at, jitter, index, host.busiestHour, dips) : 0;
    const memory = running ? job.memoryFraction * steps(at - job.start) : 0;
    const board = model.board;
    return {
      utilizationPct,
      memoryUsedMib: Math.round(model.memoryTotalMib * memory + (running ? 420 : 4)),
      temperatureC: board
        ? this.#temperature(at, job, utilizationPct, jitter, board.temperatureC, around)
        : null,
      powerDrawW: board
        ? board.powerW.idle +
          (board.powerW.limit - board.powerW.idle) *
            (job?.program.powerIntensity ?? 0) *
            (utilizationPct / 100) +
          jitter * board.powerW.idle * 0.03
        : null,
    };
  }

  /** Everything a sample says. Call only while the GPU `reports`. */
  readings(at: number): Readings {
    const { model, index, host } = this.#gpu;
    const { utilizationPct, memoryUsedMib, temperatureC, powerDrawW } = this.load(at);
    const { board, vendor, hasRowRemapping, hasNvlink, smClockMhz, memoryClockMhz } = model;
    const incident = this.incidents(at).findLast(({ start }) => start <= at);
    const active = incident && at < incident.end ? incident : undefined;
    const sign = active?.fault.sign ?? 'none';
    const minutes = active ? Math.floor((at - active.start) / MINUTE) : 0;
    const busy = utilizationPct > 2;
    const throttled = sign === 'throttling' && Math.floor(at / (15 * SECOND)) % 2 === 0;
    const heat = board && heatOf(sign, board.temperatureC, noise(index, at / MINUTE));
    const hasBoardSensors = vendor === 'NVIDIA' && board !== null;
    return {
      utilization_pct: Math.round(utilizationPct),
      memory_used_mib: memoryUsedMib,
      memory_total_mib: model.memoryTotalMib,
      temperature_c: temperatureC === null ? null : Math.round(heat ?? temperatureC),
      power_draw_w: powerDrawW === null ? null : Math.round(powerDrawW * 10) / 10,
      power_limit_w: board?.powerW.limit ?? null,
      fan_pct: board?.hasFan ? Math.round(30 + Math.max(0, (heat ?? temperatureC ?? 0) - 40) * 1.3) : null,
      sm_clock_mhz: clock(smClockMhz, busy, throttled, index, at),
      memory_clock_mhz: busy ? memoryClockMhz.load : memoryClockMhz.idle,
      xid_last_code: host.xidSource === 'gauge' ? (active?.fault.xid ?? 0) : null,
      // Bits: 0x1 idle, 0x4 software power cap, 0x20 software thermal slowdown.
      throttle_reasons: !hasBoardSensors
        ? null
        : throttled
          ? 0x20
          : !busy
            ? 0x1
            : utilizationPct > 97
              ? 0x4
              : 0,
      ecc_single_bit_total: board
        ? (index % 7 === 0 ? 1 : 0) + (sign === 'single_bit_errors' ? 40 + minutes * 6 : 0)
        : null,
      ecc_double_bit_total: board ? (sign === 'double_bit_errors' ? 2 : 0) : null,
      row_remap_failed: hasRowRemapping ? sign === 'row_remap_failed' : null,
      row_remap_pending: hasRowRemapping ? sign === 'row_remap_pending' : null,
      nvlink_errors_total: hasNvlink ? (index % 5) + (sign === 'nvlink_errors' ? 12 + minutes : 0) : null,
      pcie_replays_total: hasBoardSensors ? (index % 3) + (sign === 'pcie_replays' ? 1 + minutes : 0) : null,
    };
  }

  /** Follows the load with the inertia of the cooler, and the building's day a little. */
  #temperature(
    at: number,
    job: Job | undefined,
    utilizationPct: number,
    jitter: number,
    { idle, load }: { idle: number; load: number },
    around: 'moment' | 'mean',
  ): number {
    let share = 0;
    if (job && at < job.end) {
      // What it did in the last two minutes: a cooler knows no moments.
      const heating = around === 'mean' ? utilizationPct : this.#recentUtilization(at, job, utilizationPct);
      share = (heating / 100) * (1 - Math.exp(-(at - job.start) / (3 * MINUTE)));
    } else if (job) {
      share = (job.utilizationPct / 100) * Math.exp(-(at - job.end) / (4 * MINUTE));
    }
    const building = dayRhythm(at, this.#gpu.host.busiestHour) * 2;
    return idle + (load - idle) * share + this.#warmth + building + jitter * 0.8;
  }

  #recentUtilization(at: number, job: Job, utilizationPct: number): number {
    const { index, host } = this.#gpu;
    let sum = utilizationPct;
    for (const ago of [40, 80, 120]) {
      const then = Math.max(job.start, at - ago * SECOND);
      sum += utilizationOf(job, then, 0, index, host.busiestHour, true);
    }
    return sum / 4;
  }
}

function utilizationOf(
  job: Job,
  at: number,
  jitter: number,
  index: number,
  busiestHour: number,
  dips: boolean,
): number {
  const age = at - job.start;
  const { usageCategory } = job.program;
  let level = job.utilizationPct;
  if (usageCategory === 'training' || usageCategory === 'simulation') {
    // Loading before the first step, then plateaus with a dip for each checkpoint.
    if (age < 4 * MINUTE) level *= 0.1;
    else if (dips && age % (40 * MINUTE) < 75 * SECOND) level *= 0.2;
    else level += jitter * 1.5;
  } else if (usageCategory === 'inference' || usageCategory === 'media') {
    level = level * (0.25 + 0.75 * dayRhythm(at, busiestHour)) + jitter * 6;
  } else {
    // Somebody at a keyboard: runs a cell, reads, runs the next.
    level = noise(index + 7_919, at / (4 * MINUTE)) > -0.1 ? level + jitter * 8 : 0;
  }
  return Math.min(100, Math.max(0, level));
}

/** 1 at the busiest hour (UTC), 0 twelve hours later. */
export function dayRhythm(at: number, busiestHour: number): number {
  return (1 + Math.cos((2 * Math.PI * (at / HOUR - busiestHour)) / 24)) / 2;
}

/** Weights first, then optimizer or cache, then batches: memory fills in steps. */
function steps(age: number): number {
  if (age < 90 * SECOND) return 0.35;
  return age < 4 * MINUTE ? 0.7 : 1;
}

/** Where a fault of the cooling holds the temperature; undefined without one. */
function heatOf(
  sign: string,
  { slowdown, shutdown }: { slowdown: number; shutdown: number },
  jitter: number,
): number | undefined {
  if (sign === 'near_shutdown') return shutdown - 2 + jitter * 0.9;
  return sign === 'beyond_slowdown' ? slowdown + 1 + jitter * 0.4 : undefined;
}

function clock(
  { idle, boost }: { idle: number; boost: number },
  busy: boolean,
  throttled: boolean,
  index: number,
  at: number,
): number {
  if (!busy) return idle;
  if (throttled) return Math.round(boost * 0.55);
  // Steps of 15 MHz below the boost clock, as the boards do it.
  return boost - 15 * Math.floor(3 * (1 + noise(index + 104_729, at / MINUTE)));
}
