import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Gpu } from '../fleet/fleet.ts';
import type { Board } from '../fleet/gpu-models.ts';
import { noise } from '../random.ts';
import { floorTo } from '../time.ts';
import type { Stories } from '../stories/stories.ts';
import type { Heat } from '../stories/story.ts';
import { type Incident, raisesAlert } from './faults.ts';
import { noDataFrom, type IncidentCalendar } from './incidents.ts';
import { type Job, type JobPlan, jobPlan } from './jobs.ts';

/** Readings of a `gpu_sample` record. Null: the GPU or its exporter does not report this value. */
export type Readings = ReturnType<GpuTelemetry['readings']>;

/** Bit of a software thermal slowdown in NVML's clocks event reasons. */
const THERMAL_SLOWDOWN = 0x20;

/** `mean`: without checkpoints, bursts and most of the jitter, which a half hour averages out. */
type Around = 'moment' | 'mean';

const HALF_HOUR_MS = 30 * MINUTE_MS;
/** The simulated drivers are loaded at the start of each week, which resets the energy counters. */
const DRIVER_LOADED_EVERY_MS = 7 * DAY_MS;

/** Telemetry of one GPU as a function of time, so that the live feed continues the history without a break. */
export class GpuTelemetry {
  readonly gpu: Gpu;
  readonly jobs: JobPlan;
  readonly #calendar: IncidentCalendar;
  /** Constant temperature difference of this board, in °C. */
  readonly #temperatureOffset: number;
  readonly #heat: Heat | undefined;
  /** Energy of the half hours from the load of the driver to `until`. */
  #energy = { until: 0, joules: 0 };

  constructor(seed: number, gpu: Gpu, calendar: IncidentCalendar, stories: Stories) {
    this.gpu = gpu;
    this.#calendar = calendar;
    this.jobs = jobPlan(seed, gpu, stories.jobs.get(gpu));
    this.#heat = stories.heat.get(gpu.host);
    this.#temperatureOffset = 3 * noise(seed, gpu.index);
  }

  incidents(until: number): readonly Incident[] {
    return this.#calendar(this.gpu, until);
  }

  /** Whether the GPU reports data at `at`. */
  reports(at: number): boolean {
    return !this.incidents(at).some(
      (incident) => incident.fault.symptom === 'no_data' && noDataFrom(incident) <= at && at < incident.end,
    );
  }

  /**
   * Returns the readings that depend only on the job, at one moment or as the mean around it. Temperature and power of a virtual
   * GPU are null.
   */
  load(at: number, around: Around = 'moment') {
    const { model, index, host } = this.gpu;
    const job = this.jobs.latest(at);
    const running = job !== undefined && at < job.end;
    const jitter = noise(index, at / (15 * SECOND_MS)) * (around === 'mean' ? 0.4 : 1);
    const utilizationPct = running ? utilizationOf(job, at, jitter, index, host.busiestHour, around) : 0;
    const memory = running ? job.memoryFraction * allocatedFraction(at - job.start) : 0;
    const { board } = model;
    return {
      utilizationPct,
      memoryUsedMib: Math.round(model.memoryTotalMib * memory + (running ? 420 : 4)),
      temperatureC: board && this.#temperature(at, job, utilizationPct, jitter, board.temperatureC, around),
      powerDrawW:
        board &&
        board.powerW.idle * (1 + jitter * 0.03) +
          (board.powerW.limit - board.powerW.idle) * powerIntensityOf(job) * (utilizationPct / 100),
    };
  }

  /** Returns the energy since the driver was loaded: whole half hours with their mean power, then a part of one. */
  energyMillijoules(at: number): number | null {
    if (this.gpu.model.board === null) return null;
    const loadedAt = floorTo(DRIVER_LOADED_EVERY_MS, at);
    if (this.#energy.until < loadedAt || this.#energy.until > at)
      this.#energy = { until: loadedAt, joules: 0 };
    const meanPower = () => this.load(this.#energy.until + HALF_HOUR_MS / 2, 'mean').powerDrawW ?? 0;
    while (this.#energy.until + HALF_HOUR_MS <= at) {
      this.#energy = {
        until: this.#energy.until + HALF_HOUR_MS,
        joules: this.#energy.joules + (meanPower() * HALF_HOUR_MS) / SECOND_MS,
      };
    }
    return Math.round(this.#energy.joules * 1_000 + meanPower() * (at - this.#energy.until));
  }

  /** Whether the sample at `at` raises an alert about its XID. */
  raisesAlert(at: number): boolean {
    const incident = this.#activeIncident(at);
    return this.gpu.host.xidSource === 'gauge' && incident !== undefined && raisesAlert(incident.fault);
  }

  /** Returns the readings at one moment, or as the mean around it. Call only while the GPU `reports`. */
  readings(at: number, around: Around = 'moment') {
    const { model, index, host } = this.gpu;
    const { utilizationPct, memoryUsedMib, temperatureC, powerDrawW } = this.load(at, around);
    const { board, vendor, hasRowRemapping, hasNvlink, smClockMhz, memoryClockMhz } = model;
    const active = this.#activeIncident(at);
    const symptom = active?.fault.symptom ?? 'none';
    const minutes = active ? Math.floor((at - active.start) / MINUTE_MS) : 0;
    const busy = utilizationPct > 2;
    const isTooHot = temperatureC !== null && temperatureC >= board!.temperatureC.slowdown;
    const throttled =
      around === 'moment' &&
      (symptom === 'throttling' || (isTooHot && busy)) &&
      Math.floor(at / (15 * SECOND_MS)) % 2 === 0;
    const faultTemp = board && faultTemperature(symptom, board.temperatureC, noise(index, at / MINUTE_MS));
    const hasBoardSensors = vendor === 'NVIDIA' && board !== null;
    return {
      utilization_pct: Math.round(utilizationPct),
      memory_used_mib: memoryUsedMib,
      memory_total_mib: model.memoryTotalMib,
      temperature_c: temperatureC === null ? null : Math.round(faultTemp ?? temperatureC),
      power_draw_w: powerDrawW === null ? null : Math.round(powerDrawW * 10) / 10,
      power_limit_w: board?.powerW.limit ?? null,
      fan_pct: board?.hasFan ? fanPct(faultTemp ?? temperatureC ?? 0) : null,
      sm_clock_mhz: clock(smClockMhz, busy, throttled, index, at),
      memory_clock_mhz: busy ? memoryClockMhz.load : memoryClockMhz.idle,
      xid_last_code: host.xidSource === 'gauge' ? (active?.fault.xid ?? 0) : null,
      // NVML clocks event reasons: 0x1 idle, 0x4 software power cap.
      throttle_reasons: !hasBoardSensors
        ? null
        : throttled
          ? THERMAL_SLOWDOWN
          : !busy
            ? 0x1
            : utilizationPct > 97
              ? 0x4
              : 0,
      ecc_single_bit_total: board
        ? (index % 7 === 0 ? 1 : 0) + (symptom === 'single_bit_errors' ? 40 + minutes * 6 : 0)
        : null,
      ecc_double_bit_total: board ? (symptom === 'double_bit_errors' ? 2 : 0) : null,
      row_remap_failed: hasRowRemapping ? symptom === 'row_remap_failed' : null,
      row_remap_pending: hasRowRemapping ? symptom === 'row_remap_pending' : null,
      nvlink_errors_total: hasNvlink ? (index % 5) + (symptom === 'nvlink_errors' ? 12 + minutes : 0) : null,
      pcie_replays_total: hasBoardSensors
        ? (index % 3) + (symptom === 'pcie_replays' ? 1 + minutes : 0)
        : null,
      // Only boards with HBM have this sensor.
      memory_temperature_c:
        temperatureC !== null && (model.canMig || vendor === 'AMD') ? Math.round(temperatureC + 7) : null,
      remapped_rows_total: hasRowRemapping ? (symptom === 'row_remap_failed' ? 8 : 0) : null,
      ...activityOf(board, utilizationPct, powerIntensityOf(this.jobs.latest(at))),
    };
  }

  #activeIncident(at: number): Incident | undefined {
    const latest = this.incidents(at).findLast(({ start }) => start <= at);
    return latest && at < latest.end ? latest : undefined;
  }

  /** Returns the temperature: it follows the load with thermal inertia, plus a small daily cycle of the building. */
  #temperature(
    at: number,
    job: Job | undefined,
    utilizationPct: number,
    jitter: number,
    { idle, load, shutdown }: { idle: number; load: number; shutdown: number },
    around: Around,
  ): number {
    let share = 0;
    if (job && at < job.end) {
      // Mean utilization of the last two minutes, because of the thermal inertia.
      const heating = around === 'mean' ? utilizationPct : this.#recentUtilization(at, job, utilizationPct);
      share = (heating / 100) * (1 - Math.exp(-(at - job.start) / (3 * MINUTE_MS)));
    } else if (job) {
      share = (job.utilizationPct / 100) * Math.exp(-(at - job.end) / (4 * MINUTE_MS));
    }
    const building = dayRhythm(at, this.gpu.host.busiestHour) * 2;
    const heat = this.#heat ? heatAt(this.#heat, at) : 0;
    return Math.min(
      shutdown - 1,
      idle + (load - idle) * share + this.#temperatureOffset + building + heat + jitter * 0.8,
    );
  }

  #recentUtilization(at: number, job: Job, utilizationPct: number): number {
    const { index, host } = this.gpu;
    let sum = utilizationPct;
    for (const ago of [40, 80, 120]) {
      const then = Math.max(job.start, at - ago * SECOND_MS);
      sum += utilizationOf(job, then, 0, index, host.busiestHour, 'moment');
    }
    return sum / 4;
  }
}

const powerIntensityOf = (job: Job | undefined) => job?.program.powerIntensity ?? 0;

const fanPct = (temperatureC: number) => Math.round(30 + Math.max(0, temperatureC - 40) * 1.3);

/** Returns the use of the units of a board. Matrix kernels, which draw more power, use the tensor cores; others the memory. */
function activityOf(board: Board | null, utilizationPct: number, powerIntensity: number) {
  const share = utilizationPct / 100;
  const twoDecimals = (value: number) => board && Math.round(value * 100) / 100;
  return {
    tensor_active_pct: twoDecimals(58 * share * powerIntensity ** 2),
    dram_active_pct: twoDecimals(72 * share * (1.3 - powerIntensity)),
    pcie_tx_mb_per_second: twoDecimals(2 + 640 * share * powerIntensity),
    pcie_rx_mb_per_second: twoDecimals(3 + 1_900 * share * powerIntensity),
  };
}

function utilizationOf(
  job: Job,
  at: number,
  jitter: number,
  index: number,
  busiestHour: number,
  around: Around,
): number {
  const age = at - job.start;
  const { usageCategory, isSteady } = job.program;
  let level = job.utilizationPct;
  if (isSteady) level += jitter * 0.5;
  else if (usageCategory === 'training' || usageCategory === 'simulation') {
    // Low while the data loads, then constant with a dip at each checkpoint.
    if (age < 4 * MINUTE_MS) level *= 0.1;
    else if (around === 'moment' && age % (40 * MINUTE_MS) < 75 * SECOND_MS) level *= 0.2;
    else level += jitter * 1.5;
  } else if (usageCategory === 'inference' || usageCategory === 'media') {
    level = level * (0.25 + 0.75 * dayRhythm(at, busiestHour)) + jitter * 6;
  } else {
    // Interactive use: bursts with pauses.
    const burst = around === 'mean' ? BURST_SHARE : Number(isBurst(index, at));
    level = burst * (level + jitter * 8);
  }
  return Math.min(100, Math.max(0, level));
}

/** Share of time that interactive use computes. */
const BURST_SHARE = 0.55;

/** Whether interactive use computes in the four minutes of `at`. */
const isBurst = (index: number, at: number) =>
  noise(index + 7_919, at / (4 * MINUTE_MS)) > 1 - 2 * BURST_SHARE;

/** Returns the additional temperature: it rises in the first third and falls in the last tenth. */
function heatAt({ start, end, celsius }: Heat, at: number): number {
  const share = (at - start) / (end - start);
  if (share <= 0 || share >= 1) return 0;
  return celsius * Math.min(1, share * 3, (1 - share) * 10);
}

/** Returns 1 at the busiest hour (UTC) and 0 twelve hours later. */
export function dayRhythm(at: number, busiestHour: number): number {
  return (1 + Math.cos((2 * Math.PI * (at / HOUR_MS - busiestHour)) / 24)) / 2;
}

/** Returns the fraction of a job's memory that is allocated: weights first, then optimizer or cache, then batches. */
function allocatedFraction(age: number): number {
  if (age < 90 * SECOND_MS) return 0.35;
  return age < 4 * MINUTE_MS ? 0.7 : 1;
}

/** Returns the temperature under a cooling fault; undefined without one. */
function faultTemperature(
  symptom: string,
  { slowdown, shutdown }: { slowdown: number; shutdown: number },
  jitter: number,
): number | undefined {
  if (symptom === 'near_shutdown') return shutdown - 2 + jitter * 0.9;
  return symptom === 'beyond_slowdown' ? slowdown + 1 + jitter * 0.4 : undefined;
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
  // NVIDIA GPUs change the SM clock in steps of 15 MHz.
  return boost - 15 * Math.floor(3 * (1 + noise(index + 104_729, at / MINUTE_MS)));
}
