import {
  alertId,
  liveAlert,
  liveSlot,
  plannedHistory,
  plannedLive,
  type PlannedAlert,
} from './alerts/alert-plan.ts';
import { AlertTeller } from './alerts/alert-records.ts';
import { buildFleet, type Fleet, type Gpu, type Host } from './fleet/fleet.ts';
import type { Simulation } from './options.ts';
import { Dice } from './random.ts';
import {
  daemonRecord,
  hostSampleRecord,
  HOST_INTERVAL,
  sessionRecord,
  SIGHTING_INTERVAL,
  vmRecord,
  workloadRecords,
} from './hosts/host-records.ts';
import { daemonsOf, workloadsBetween } from './hosts/workloads.ts';
import { IncidentCalendar } from './telemetry/incidents.ts';
import { GpuTelemetry } from './telemetry/readings.ts';
import { processRecord, PROCESS_INTERVAL, sampleRecord, xidRecords } from './telemetry/telemetry-records.ts';
import { floorTo, rfc3339, SECOND } from './time.ts';

interface Moment {
  at: number;
  lines: string[];
}

/** Somebody looks after an alert this often, when the feed changes states. */
const STATE_INTERVAL = 30 * SECOND;

/** What a fleet emits between two moments: a function of the two, so that a restart goes on where the last run ended. */
export class Feed {
  readonly #simulation: Simulation;
  readonly #fleet: Fleet;
  readonly #telemetry: GpuTelemetry[];
  readonly #teller: AlertTeller;
  #pastAlerts: PlannedAlert[] | undefined;

  /** A feed that is asked for nothing before `from`. */
  constructor(simulation: Simulation, from: number) {
    this.#simulation = simulation;
    this.#fleet = buildFleet(simulation);
    const calendar = new IncidentCalendar(simulation, this.#fleet, from);
    this.#telemetry = this.#fleet.gpus.map((gpu) => new GpuTelemetry(simulation.seed, gpu, calendar));
    this.#teller = new AlertTeller(simulation, this.#fleet, calendar);
  }

  /** All lines of (from, to] in time order, with a sample of each GPU every `sampleInterval`. */
  between(from: number, to: number, sampleInterval: number): string[] {
    const moments: Moment[] = plannedLive(this.#simulation, this.#fleet, from, to).map((plan) => ({
      at: plan.at,
      lines: this.#teller.tell(plan),
    }));
    const processInterval = Math.max(PROCESS_INTERVAL, 6 * sampleInterval);
    const hostInterval = Math.max(HOST_INTERVAL, sampleInterval);
    const sightingInterval = Math.max(SIGHTING_INTERVAL, 12 * sampleInterval);
    for (const host of this.#fleet.hosts) {
      for (const gpu of host.gpus) moments.push(...this.#xids(gpu, from, to));
      for (const at of times(host, sampleInterval, from, to))
        moments.push({ at, lines: this.#samples(host, at) });
      for (const at of times(host, processInterval, from, to))
        moments.push({ at, lines: this.#processes(host, at) });
      for (const at of times(host, hostInterval, from, to))
        moments.push({ at, lines: [hostSampleRecord(host, at)] });
      for (const at of times(host, sightingInterval, from, to))
        moments.push({ at, lines: this.#sightings(host, at) });
    }
    return inTimeOrder(moments);
  }

  /**
   * Changes of state in (from, to], in time order: of alerts of the history, and of those that this feed told after
   * `toldSince`.
   */
  stateChanges(from: number, to: number, toldSince: number): string[] {
    const lines: string[] = [];
    for (let at = floorTo(STATE_INTERVAL, from) + STATE_INTERVAL; at <= to; at += STATE_INTERVAL) {
      const dice = new Dice(this.#simulation.seed, 'state change', at);
      const alert = this.#earlierAlert(dice, at, toldSince);
      if (!alert) continue;
      lines.push(
        JSON.stringify({
          kind: 'alert_state',
          at: rfc3339(at),
          customer_id: alert.host.owner.customer_id,
          alert_id: alertId(this.#simulation, alert),
          state: dice.chance(0.7) ? 'ignored' : 'active',
        }),
      );
    }
    return lines;
  }

  #earlierAlert(dice: Dice, at: number, toldSince: number): PlannedAlert | undefined {
    const slot = liveSlot(this.#simulation, at) - dice.integer(1, 200);
    const recent = slot < 0 ? undefined : liveAlert(this.#simulation, this.#fleet, slot);
    if (recent && recent.at > toldSince && dice.chance(0.5)) return recent;
    this.#pastAlerts ??= plannedHistory(this.#simulation, this.#fleet);
    return this.#pastAlerts.length > 0 ? dice.pick(this.#pastAlerts) : undefined;
  }

  #samples(host: Host, at: number): string[] {
    return host.gpus
      .filter((gpu) => this.#telemetryOf(gpu).reports(at))
      .map((gpu) => sampleRecord(gpu, this.#telemetryOf(gpu), at));
  }

  #processes(host: Host, at: number): string[] {
    return host.gpus.flatMap((gpu) => {
      const telemetry = this.#telemetryOf(gpu);
      const job = telemetry.jobs.latest(at);
      return job && at < job.end && telemetry.reports(at) ? [processRecord(gpu, telemetry, job, at)] : [];
    });
  }

  /** What is on a host now. */
  #sightings(host: Host, at: number): string[] {
    const { seed } = this.#simulation;
    const guests = host.gpus.filter(({ model }) => model.board === null);
    return [
      ...daemonsOf(host).map((daemon) => daemonRecord(host, daemon, at)),
      ...workloadsBetween(seed, host, at - 1, at).flatMap((workload) => workloadRecords(host, workload, at)),
      ...guests.map((gpu) => vmRecord(gpu, at)),
      sessionRecord(seed, host, at),
    ];
  }

  /** Every GPU has samples here, so only hosts with a log of their own say more. */
  #xids(gpu: Gpu, from: number, to: number): Moment[] {
    return this.#telemetryOf(gpu)
      .incidents(to)
      .flatMap((incident) => xidRecords(incident, Number.NEGATIVE_INFINITY))
      .filter(({ at }) => at > from && at <= to)
      .map(({ at, line }) => ({ at, lines: [line] }));
  }

  #telemetryOf(gpu: Gpu): GpuTelemetry {
    return this.#telemetry[gpu.index]!;
  }
}

/** The moments in (from, to] at which a host is asked, one each `interval`. */
function times({ phaseMs }: Host, interval: number, from: number, to: number): number[] {
  const found: number[] = [];
  for (let at = floorTo(interval, from - phaseMs) + interval + phaseMs; at <= to; at += interval)
    found.push(at);
  return found;
}

function inTimeOrder(moments: Moment[]): string[] {
  return moments.sort((one, other) => one.at - other.at).flatMap(({ lines }) => lines);
}
