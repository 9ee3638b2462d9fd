import type { Fleet, Gpu } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { Dice } from '../random.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import { canShow, faults, programFaults, type Fault } from './faults.ts';

/** A fault of one GPU from `start` until somebody resets it or brings it back (milliseconds since the epoch). */
export interface Incident {
  gpu: Gpu;
  fault: Fault;
  start: number;
  end: number;
}

/**
 * Who is at fault when. Time is cut into periods of 24 h that end with the history; every period has its own
 * incidents, and those of each customer are all still going on when the period ends. So the end of the history shows
 * every state of health, and so does, day after day, the feed that goes on from there.
 */
export class IncidentCalendar {
  readonly #simulation: Simulation;
  readonly #gpusOf: Map<number, Gpu[]>;
  readonly #incidents: Incident[][];
  #nextPeriod: number;

  /** Knows what happens from `from` on. */
  constructor(simulation: Simulation, fleet: Fleet, from: number) {
    this.#simulation = simulation;
    this.#gpusOf = Map.groupBy(fleet.gpus, (gpu) => gpu.host.owner.customer_id);
    this.#incidents = fleet.gpus.map(() => []);
    // Incidents of the two periods before may go on.
    this.#nextPeriod = this.#periodOf(from) - 2;
  }

  /** All that begins before the period of `until` is over, for one GPU, in time order. */
  of(gpu: Gpu, until: number): readonly Incident[] {
    for (; this.#nextPeriod <= this.#periodOf(until); this.#nextPeriod++) {
      for (const incident of this.#incidentsOf(this.#nextPeriod))
        this.#incidents[incident.gpu.index]!.push(incident);
    }
    return this.#incidents[gpu.index]!;
  }

  /** The period in which `at` lies; its end belongs to it, so that `now` is the end of period -1. */
  #periodOf(at: number): number {
    return Math.ceil((at - this.#simulation.now) / DAY) - 1;
  }

  #incidentsOf(period: number): Incident[] {
    const { seed, now } = this.#simulation;
    const start = now + period * DAY;
    return [...this.#gpusOf].flatMap(([customer, gpus]) => {
      const dice = new Dice(seed, 'incidents', customer, period);
      // Every other GPU: nobody has a new incident before the last one is over.
      const free = new Set(gpus.filter(({ index }) => Math.abs(index + period) % 2 === 0));
      const rounds = Math.max(1, Math.floor(gpus.length / 160));
      const boardFaults = Array.from({ length: rounds }, () => faults).flat();
      const seen = new Set<string>();
      const incidents: Incident[] = [];
      for (const fault of boardFaults) {
        const incident = incidentOf(dice, free, fault, start, !seen.has(fault.health));
        if (incident) incidents.push(incident);
        if (incident) seen.add(fault.health);
      }
      for (let i = 0; i < gpus.length / 40; i++) {
        const incident = incidentOf(dice, free, dice.pick(programFaults), start, false);
        if (incident) incidents.push(incident);
      }
      return incidents;
    });
  }
}

/** The first of each health begins early, so that the period before has not yet ended when it does. */
function incidentOf(
  dice: Dice,
  free: Set<Gpu>,
  fault: Fault,
  periodStart: number,
  early: boolean,
): Incident | undefined {
  const able = [...free].filter((gpu) => canShow(gpu, fault));
  if (able.length === 0) return undefined;
  const gpu = dice.pick(able);
  free.delete(gpu);
  return {
    gpu,
    fault,
    start: Math.round(periodStart + (early ? dice.between(2, 4) : dice.between(3, 22.5)) * HOUR),
    end: Math.round(periodStart + DAY + dice.between(5, 16) * HOUR),
  };
}

/**
 * A GPU that falls off the bus is first served with its last values by an exporter that has not noticed: long enough
 * for a sample every 5 minutes to carry the code that says so.
 */
export function silentSince({ fault, start }: Incident): number {
  return start + (fault.xid === undefined ? 0 : 6 * MINUTE);
}
