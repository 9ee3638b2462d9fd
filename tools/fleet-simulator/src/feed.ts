import { planLive } from './alerts/alert-plan.ts';
import { AlertRecordBuilder } from './alerts/alert-records.ts';
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
import { simulateFleet, type SimulatedFleet } from './simulated-fleet.ts';
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

/** Generates the records of an interval. They depend on the interval alone, so a restart continues the previous run. */
export class Feed {
  readonly #fleet: SimulatedFleet;
  readonly #alertRecords: AlertRecordBuilder;

  /** @param from earliest time that the feed will be queried for */
  constructor(simulation: Simulation, from: number) {
    this.#fleet = simulateFleet(simulation, from);
    this.#alertRecords = new AlertRecordBuilder(this.#fleet);
  }

  /** Returns the lines of (from, to] in time order, with a sample of each GPU every `sampleInterval` ms. */
  between(from: number, to: number, sampleInterval: number): string[] {
    const moments: Moment[] = planLive(this.#fleet, from, to).map((plan) => ({
      at: plan.at,
      lines: this.#alertRecords.build(plan),
    }));
    const series: [intervalMs: number, linesOf: (host: Host, at: number) => string[]][] = [
      [sampleInterval, (host, at) => this.#samples(host, at)],
      [Math.max(PROCESS_INTERVAL_MS, 6 * sampleInterval), (host, at) => this.#processes(host, at)],
      [Math.max(HOST_INTERVAL_MS, sampleInterval), (host, at) => [hostSampleRecord(host, at)]],
      [Math.max(OBSERVATION_INTERVAL_MS, 12 * sampleInterval), (host, at) => this.#observations(host, at)],
    ];
    for (const host of this.#fleet.hosts) {
      for (const gpu of host.gpus) moments.push(...this.#xids(gpu, from, to));
      for (const [interval, linesOf] of series) {
        for (const at of timesBetween(interval, host.phaseMs, from, to))
          moments.push({ at, lines: linesOf(host, at) });
      }
    }
    return moments.sort((one, other) => one.at - other.at).flatMap(({ lines }) => lines);
  }

  #samples(host: Host, at: number): string[] {
    return host.gpus
      .filter((gpu) => this.#fleet.telemetryOf(gpu).reports(at))
      .map((gpu) => sampleRecord(this.#fleet.telemetryOf(gpu), at));
  }

  #processes(host: Host, at: number): string[] {
    return host.gpus.flatMap((gpu) => {
      const telemetry = this.#fleet.telemetryOf(gpu);
      const job = telemetry.jobs.latest(at);
      return job && at < job.end && telemetry.reports(at) ? [processRecord(telemetry, job, at)] : [];
    });
  }

  /** Returns records of the processes, containers, VMs and agent session on a host. */
  #observations(host: Host, at: number): string[] {
    const { seed } = this.#fleet.simulation;
    const guests = host.gpus.filter(({ model }) => model.board === null);
    return [
      ...daemonsOf(host).map((daemon) => daemonRecord(host, daemon, at)),
      ...workloadsBetween(seed, host, at - 1, at).flatMap((workload) => workloadRecords(host, workload, at)),
      ...guests.map((gpu) => vmRecord(gpu, at)),
      sessionRecord(seed, host, at),
    ];
  }

  /** Returns XID events of hosts with a kernel log. For other hosts, the live samples carry the XID. */
  #xids(gpu: Gpu, from: number, to: number): Moment[] {
    return this.#fleet
      .telemetryOf(gpu)
      .incidents(to)
      .flatMap((incident) => xidRecords(incident, Number.NEGATIVE_INFINITY))
      .filter(({ at }) => at > from && at <= to)
      .map(({ at, line }) => ({ at, lines: [line] }));
  }
}
