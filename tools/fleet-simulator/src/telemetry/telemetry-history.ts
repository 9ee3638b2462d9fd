import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Fleet, Gpu } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { floorTo } from '../time.ts';
import type { Stories } from '../stories/stories.ts';
import type { IncidentCalendar } from './incidents.ts';
import { GpuTelemetry } from './readings.ts';
import {
  dayRecord,
  inventoryRecord,
  processRecord,
  PROCESS_INTERVAL_MS,
  sampleRecord,
  xidRecords,
  type TimedLine,
} from './telemetry-records.ts';

/**
 * Generates the telemetry history: `gpu` records, `gpu_day` records up to the first sample, then samples of the last 24 h
 * every 5 minutes and of the last hour every 15 s. The records of each GPU are in time order.
 */
export function* telemetryHistory(
  simulation: Simulation,
  fleet: Fleet,
  calendar: IncidentCalendar,
  stories: Stories,
): Generator<string> {
  const firstDay = firstDayOf(simulation);
  const samplesFrom = floorTo(30 * MINUTE_MS, simulation.now - DAY_MS);
  for (const gpu of fleet.gpus) yield inventoryRecord(gpu, firstDay);
  for (const gpu of fleet.gpus) {
    const telemetry = new GpuTelemetry(simulation.seed, gpu, calendar, stories);
    for (let day = firstDay; day < samplesFrom; day += DAY_MS)
      yield dayRecord(gpu, telemetry, day, Math.min(day + DAY_MS, samplesFrom));
  }
  for (const gpu of fleet.gpus) {
    yield* recentPast(
      simulation,
      gpu,
      new GpuTelemetry(simulation.seed, gpu, calendar, stories),
      firstDay,
      samplesFrom,
    );
  }
}

/** Returns the UTC midnight of the first day of the history. */
export function firstDayOf({ now, days }: Simulation): number {
  return floorTo(DAY_MS, now - days * DAY_MS);
}

/** Generates samples, XIDs and processes of one GPU in time order. */
function* recentPast(
  { now }: Simulation,
  gpu: Gpu,
  telemetry: GpuTelemetry,
  firstDay: number,
  samplesFrom: number,
): Generator<string> {
  const others = [
    ...xidMoments(telemetry, firstDay, samplesFrom, now),
    ...processMoments(gpu, telemetry, samplesFrom, now),
  ].sort((one, other) => one.at - other.at);
  let next = 0;
  for (const at of sampleTimes(gpu, samplesFrom, now)) {
    for (; next < others.length && others[next]!.at <= at; next++) yield others[next]!.line;
    if (telemetry.reports(at)) yield sampleRecord(gpu, telemetry, at);
  }
  for (; next < others.length; next++) yield others[next]!.line;
}

/** Generates sample times. All of them are on the 15 s grid of the live feed. */
function* sampleTimes({ host: { phaseMs } }: Gpu, from: number, now: number): Generator<number> {
  const fineFrom = floorTo(5 * MINUTE_MS, now - HOUR_MS);
  for (let at = from + phaseMs; at < fineFrom; at += 5 * MINUTE_MS) yield at;
  for (let at = fineFrom + phaseMs; at <= now; at += 15 * SECOND_MS) yield at;
}

function xidMoments(
  telemetry: GpuTelemetry,
  firstDay: number,
  samplesFrom: number,
  now: number,
): TimedLine[] {
  return telemetry
    .incidents(now)
    .flatMap((incident) => xidRecords(incident, samplesFrom))
    .filter(({ at }) => at >= firstDay && at <= now);
}

/** Returns two records for each process: its first and its last observation, at which the GPU reports. */
function processMoments(gpu: Gpu, telemetry: GpuTelemetry, samplesFrom: number, now: number): TimedLine[] {
  return telemetry.jobs.between(samplesFrom, now).flatMap((job) => {
    const begin = Math.max(job.start, samplesFrom);
    const times = [begin];
    const end = Math.min(job.end - 1, now);
    for (
      let at = floorTo(PROCESS_INTERVAL_MS, begin) + gpu.host.phaseMs;
      at <= end;
      at += PROCESS_INTERVAL_MS
    )
      if (at > begin) times.push(at);
    const reports = (at: number) => telemetry.reports(at);
    const observed = new Set([times.find(reports), times.findLast(reports)]);
    return [...observed].flatMap((at) =>
      at === undefined ? [] : [{ at, line: processRecord(gpu, telemetry, job, at) }],
    );
  });
}
