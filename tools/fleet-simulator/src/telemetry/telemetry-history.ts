import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Simulation } from '../options.ts';
import type { SimulatedFleet } from '../simulated-fleet.ts';
import { floorTo, timesBetween } from '../time.ts';
import type { GpuTelemetry } from './readings.ts';
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
export function* telemetryHistory({ simulation, gpus, telemetryOf }: SimulatedFleet): Generator<string> {
  const { now } = simulation;
  const firstDay = firstDayOf(simulation);
  const samplesFrom = floorTo(30 * MINUTE_MS, now - DAY_MS);
  for (const gpu of gpus) yield inventoryRecord(gpu, firstDay);
  for (const gpu of gpus) {
    for (let day = firstDay; day < samplesFrom; day += DAY_MS)
      yield dayRecord(telemetryOf(gpu), day, Math.min(day + DAY_MS, samplesFrom));
  }
  for (const gpu of gpus) yield* recentPast(telemetryOf(gpu), firstDay, samplesFrom, now);
}

/** Returns the UTC midnight of the first day of the history. */
export function firstDayOf({ now, days }: Simulation): number {
  return floorTo(DAY_MS, now - days * DAY_MS);
}

/** Generates samples, XIDs and processes of one GPU in time order. */
function* recentPast(
  telemetry: GpuTelemetry,
  firstDay: number,
  samplesFrom: number,
  now: number,
): Generator<string> {
  const others = [
    ...xidMoments(telemetry, firstDay, samplesFrom, now),
    ...processMoments(telemetry, samplesFrom, now),
  ].sort((one, other) => one.at - other.at);
  let next = 0;
  for (const at of sampleTimes(telemetry, samplesFrom, now)) {
    for (; next < others.length && others[next]!.at <= at; next++) yield others[next]!.line;
    if (telemetry.reports(at)) yield sampleRecord(telemetry, at);
  }
  for (; next < others.length; next++) yield others[next]!.line;
}

/** Returns sample times. All of them are on the 15 s grid of the live feed. */
function sampleTimes({ gpu }: GpuTelemetry, from: number, now: number): number[] {
  const { phaseMs } = gpu.host;
  const fineFrom = floorTo(5 * MINUTE_MS, now - HOUR_MS) - 1;
  return [
    ...timesBetween(5 * MINUTE_MS, phaseMs, from - 1, fineFrom),
    ...timesBetween(15 * SECOND_MS, phaseMs, fineFrom, now),
  ];
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
function processMoments(telemetry: GpuTelemetry, samplesFrom: number, now: number): TimedLine[] {
  const { phaseMs } = telemetry.gpu.host;
  return telemetry.jobs.between(samplesFrom, now).flatMap((job) => {
    const begin = Math.max(job.start, samplesFrom);
    const end = Math.min(job.end - 1, now);
    const reporting = [begin, ...timesBetween(PROCESS_INTERVAL_MS, phaseMs, begin, end)].filter((at) =>
      telemetry.reports(at),
    );
    const observed = new Set([...reporting.slice(0, 1), ...reporting.slice(-1)]);
    return [...observed].map((at) => ({ at, line: processRecord(telemetry, job, at) }));
  });
}
