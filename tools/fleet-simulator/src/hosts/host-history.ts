import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Host } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import type { SimulatedFleet } from '../simulated-fleet.ts';
import { floorTo, timesBetween } from '../time.ts';
import {
  daemonRecord,
  hostDayRecord,
  hostRecord,
  hostSampleRecord,
  HOST_INTERVAL_MS,
  SESSION_LENGTH_MS,
  sessionRecord,
  vmRecord,
  workloadRecords,
} from './host-records.ts';
import { daemonsOf, workloadsBetween } from './workloads.ts';

/**
 * Generates the history of all hosts: `host` records, `host_day` records for whole UTC days, `host_sample` records for the
 * rest, then the containers, processes, VMs and sessions, each at its first and last observation.
 *
 * @param firstDay UTC midnight of the first day of the history
 */
export function* hostHistory({ simulation, hosts }: SimulatedFleet, firstDay: number): Generator<string> {
  const { now } = simulation;
  const samplesFrom = floorTo(DAY_MS, now - DAY_MS);
  for (const host of hosts) yield hostRecord(host, firstDay);
  for (const host of hosts) {
    for (let day = firstDay; day < samplesFrom; day += DAY_MS) yield hostDayRecord(host, day);
  }
  for (const host of hosts) {
    for (const at of sampleTimes(host, samplesFrom, now)) yield hostSampleRecord(host, at);
  }
  for (const host of hosts) yield* observations(simulation, host, firstDay);
}

/** Returns sample times: every 30 minutes, in the last 24 h every 5, in the last hour every minute as in the live feed. */
function sampleTimes({ phaseMs }: Host, from: number, now: number): number[] {
  const fiveMinutely = floorTo(5 * MINUTE_MS, now - DAY_MS) - 1;
  const minutely = floorTo(5 * MINUTE_MS, now - HOUR_MS) - 1;
  return [
    ...timesBetween(30 * MINUTE_MS, phaseMs, from - 1, fiveMinutely),
    ...timesBetween(5 * MINUTE_MS, phaseMs, fiveMinutely, minutely),
    ...timesBetween(HOST_INTERVAL_MS, phaseMs, minutely, now),
  ];
}

/** Generates two records for each process, container, VM and session: its first and its last observation. */
function* observations({ seed, now }: Simulation, host: Host, firstDay: number): Generator<string> {
  const last = floorTo(SECOND_MS, now);
  for (const at of [firstDay, last])
    for (const daemon of daemonsOf(host)) yield daemonRecord(host, daemon, at);
  for (const workload of workloadsBetween(seed, host, firstDay, now)) {
    yield* workloadRecords(host, workload, Math.max(workload.start, firstDay));
    yield* workloadRecords(host, workload, Math.min(workload.end - 1, last));
  }
  for (let start = floorTo(SESSION_LENGTH_MS, firstDay); start <= now; start += SESSION_LENGTH_MS) {
    yield sessionRecord(seed, host, Math.max(start, firstDay));
    yield sessionRecord(seed, host, Math.min(start + SESSION_LENGTH_MS - 1, last));
  }
  for (const gpu of host.gpus) {
    if (gpu.model.board !== null) continue;
    for (const at of [firstDay, last]) yield vmRecord(gpu, at);
  }
}
