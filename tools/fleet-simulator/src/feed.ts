import { planLive } from './alerts/alert-plan.ts';
import { alertRecords } from './alerts/alert-records.ts';
import type { Gpu, Host } from './fleet/fleet.ts';
import type { Simulation } from './options.ts';
import {
  daemonRecord,
  hostSampleRecord,
  HOST_INTERVAL_MS,
  sessionRecord,
  OBSERVATION_INTERVAL_MS,
  vmRecord,
  workloadRecords,
} from './hosts/host-records.ts';
import { daemonsOf, workloadsBetween } from './hosts/workloads.ts';
import { simulateFleet } from './simulated-fleet.ts';
import {
  processRecord,
  PROCESS_INTERVAL_MS,
  sampleRecord,
  xidRecords,
} from './telemetry/telemetry-records.ts';
import { timesBetween } from './time.ts';

interface Moment {
  at: number;
  lines: string[];
}

/** Returns the lines of (from, to] in time order, with a sample of each GPU every `sampleInterval` ms. */
export type Feed = (from: number, to: number, sampleInterval: number) => string[];

/**
 * Simulates a fleet after its history. The records depend on their interval alone, so a restart continues the previous run.
 *
 * @param since earliest time that the feed will be queried for
 */
export function feedOf(simulation: Simulation, since: number): Feed {
  const fleet = simulateFleet(simulation, since);
  const { hosts, telemetryOf } = fleet;
  const recordsOf = alertRecords(fleet);
  const samples = (host: Host, at: number) =>
    host.gpus
      .map(telemetryOf)
      .filter((telemetry) => telemetry.reports(at))
      .map((telemetry) => sampleRecord(telemetry, at));
  const processes = (host: Host, at: number) =>
    host.gpus.map(telemetryOf).flatMap((telemetry) => {
      const job = telemetry.jobs.latest(at);
      return job && at < job.end && telemetry.reports(at) ? [processRecord(telemetry, job, at)] : [];
    });
  // Of hosts with a kernel log. For other hosts, the live samples carry the XID.
  const xids = (gpu: Gpu, from: number, to: number) =>
    telemetryOf(gpu)
      .incidents(to)
      .flatMap((incident) => xidRecords(incident, Number.NEGATIVE_INFINITY))
      .filter(({ at }) => at > from && at <= to)
      .map(({ at, line }) => ({ at, lines: [line] }));

  return (from, to, sampleInterval) => {
    const moments: Moment[] = planLive(fleet, from, to).map((plan) => ({
      at: plan.at,
      lines: recordsOf(plan),
    }));
    const series: [intervalMs: number, linesOf: (host: Host, at: number) => string[]][] = [
      [sampleInterval, samples],
      [Math.max(PROCESS_INTERVAL_MS, 6 * sampleInterval), processes],
      [Math.max(HOST_INTERVAL_MS, sampleInterval), (host, at) => [hostSampleRecord(host, at)]],
      [
        Math.max(OBSERVATION_INTERVAL_MS, 12 * sampleInterval),
        (host, at) => observations(simulation.seed, host, at),
      ],
    ];
    for (const host of hosts) {
      for (const gpu of host.gpus) moments.push(...xids(gpu, from, to));
      for (const [interval, linesOf] of series) {
        for (const at of timesBetween(interval, host.phaseMs, from, to))
          moments.push({ at, lines: linesOf(host, at) });
      }
    }
    return moments.sort((one, other) => one.at - other.at).flatMap(({ lines }) => lines);
  };
}

/** Returns records of the processes, containers, VMs and agent session on a host. */
function observations(seed: number, host: Host, at: number): string[] {
  const guests = host.gpus.filter(({ model }) => model.board === null);
  return [
    ...daemonsOf(host).map((daemon) => daemonRecord(host, daemon, at)),
    ...workloadsBetween(seed, host, at - 1, at).flatMap((workload) => workloadRecords(host, workload, at)),
    ...guests.map((gpu) => vmRecord(gpu, at)),
    sessionRecord(seed, host, at),
  ];
}
