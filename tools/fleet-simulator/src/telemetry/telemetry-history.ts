import type { Fleet, Gpu } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { DAY, floorTo, HOUR, MINUTE, SECOND } from '../time.ts';
import type { IncidentCalendar } from './incidents.ts';
import { GpuTelemetry } from './readings.ts';
import {
  dayRecord,
  inventoryRecord,
  processRecord,
  PROCESS_INTERVAL,
  sampleRecord,
  xidRecords,
} from './telemetry-records.ts';

interface Moment {
  at: number;
  line: string;
}

/**
 * The fleet's past: `gpu` records, UTC days as `gpu_day`, the last of them as far as there are no samples; samples for the
 * last 24 h every 5 minutes, for the last hour every 15 s. Each GPU's records are in time order.
 */
export function* telemetryHistory(
  simulation: Simulation,
  fleet: Fleet,
  calendar: IncidentCalendar,
): Generator<string> {
  const firstDay = firstDayOf(simulation);
  const samplesFrom = floorTo(30 * MINUTE, simulation.now - DAY);
  for (const gpu of fleet.gpus) yield inventoryRecord(gpu, firstDay);
  for (const gpu of fleet.gpus) {
    const telemetry = new GpuTelemetry(simulation.seed, gpu, calendar);
    for (let day = firstDay; day < samplesFrom; day += DAY)
      yield dayRecord(gpu, telemetry, day, Math.min(day + DAY, samplesFrom));
  }
  for (const gpu of fleet.gpus) {
    yield* recentPast(
      simulation,
      gpu,
      new GpuTelemetry(simulation.seed, gpu, calendar),
      firstDay,
      samplesFrom,
    );
  }
}

/** Midnight of the UTC day in which the history begins. */
export function firstDayOf({ now, days }: Simulation): number {
  return floorTo(DAY, now - days * DAY);
}

/** Samples, with XIDs and processes where they belong in time. */
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

/** The finer spacing begins at a multiple of the step before, so every sample lies on the 15 s grid of the feed. */
function* sampleTimes({ host: { phaseMs } }: Gpu, from: number, now: number): Generator<number> {
  const quarterMinutely = floorTo(5 * MINUTE, now - HOUR);
  for (let at = from + phaseMs; at < quarterMinutely; at += 5 * MINUTE) yield at;
  for (let at = quarterMinutely + phaseMs; at <= now; at += 15 * SECOND) yield at;
}

function xidMoments(telemetry: GpuTelemetry, firstDay: number, samplesFrom: number, now: number): Moment[] {
  return telemetry
    .incidents(now)
    .flatMap((incident) => xidRecords(incident, samplesFrom))
    .filter(({ at }) => at >= firstDay && at <= now);
}

/** Each process twice, when it is first and when it is last seen: between the two it was there. */
function processMoments(gpu: Gpu, telemetry: GpuTelemetry, samplesFrom: number, now: number): Moment[] {
  return telemetry.jobs.between(samplesFrom, now).flatMap((job) => {
    const first = Math.max(job.start, samplesFrom);
    const last = floorTo(PROCESS_INTERVAL, Math.min(job.end - 1, now)) + gpu.host.phaseMs;
    return [first, last]
      .filter(
        (at, i) =>
          at >= first && at <= now && at < job.end && (i === 0 || at > first) && telemetry.reports(at),
      )
      .map((at) => ({ at, line: processRecord(gpu, telemetry, job, at) }));
  });
}
