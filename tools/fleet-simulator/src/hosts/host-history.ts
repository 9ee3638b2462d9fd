import type { Fleet, Host } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { DAY, floorTo, HOUR, MINUTE, SECOND } from '../time.ts';
import {
  daemonRecord,
  hostDayRecord,
  hostRecord,
  hostSampleRecord,
  HOST_INTERVAL,
  SESSION_LENGTH,
  sessionRecord,
  vmRecord,
  workloadRecords,
} from './host-records.ts';
import { daemonsOf, workloadsBetween } from './workloads.ts';

/**
 * The hosts' past: what they are, whole UTC days as `host_day`, from the last of them on samples, and what was on them,
 * each container, process, VM and session with the first and the last time it was there.
 *
 * @param firstDay midnight of the day in which the history begins
 */
export function* hostHistory(simulation: Simulation, fleet: Fleet, firstDay: number): Generator<string> {
  const { now } = simulation;
  const samplesFrom = floorTo(DAY, now - DAY);
  for (const host of fleet.hosts) yield hostRecord(host, firstDay);
  for (const host of fleet.hosts) {
    for (let day = firstDay; day < samplesFrom; day += DAY) yield hostDayRecord(host, day);
  }
  for (const host of fleet.hosts) {
    for (const at of sampleTimes(host, samplesFrom, now)) yield hostSampleRecord(host, at);
  }
  for (const host of fleet.hosts) yield* sightings(simulation, host, firstDay);
}

/** Every half hour, for the last 24 h every 5 minutes, for the last hour every minute, on the grid of the feed. */
function* sampleTimes({ phaseMs }: Host, from: number, now: number): Generator<number> {
  const fiveMinutely = floorTo(5 * MINUTE, now - DAY);
  const minutely = floorTo(5 * MINUTE, now - HOUR);
  for (let at = from + phaseMs; at < fiveMinutely; at += 30 * MINUTE) yield at;
  for (let at = fiveMinutely + phaseMs; at < minutely; at += 5 * MINUTE) yield at;
  for (let at = minutely + phaseMs; at <= now; at += HOST_INTERVAL) yield at;
}

/** Each thing twice, when it is first and when it is last seen: between the two it was there. */
function* sightings({ seed, now }: Simulation, host: Host, firstDay: number): Generator<string> {
  const last = floorTo(SECOND, now);
  for (const at of [firstDay, last])
    for (const daemon of daemonsOf(host)) yield daemonRecord(host, daemon, at);
  for (const workload of workloadsBetween(seed, host, firstDay, now)) {
    yield* workloadRecords(host, workload, Math.max(workload.start, firstDay));
    yield* workloadRecords(host, workload, Math.min(workload.end - 1, last));
  }
  for (let start = floorTo(SESSION_LENGTH, firstDay); start <= now; start += SESSION_LENGTH) {
    yield sessionRecord(seed, host, Math.max(start, firstDay));
    yield sessionRecord(seed, host, Math.min(start + SESSION_LENGTH - 1, last));
  }
  for (const gpu of host.gpus) {
    if (gpu.model.board !== null) continue;
    for (const at of [firstDay, last]) yield vmRecord(gpu, at);
  }
}
