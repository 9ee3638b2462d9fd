import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { Fleet, Gpu } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { SeededRandom } from '../random.ts';
import type { Stories } from '../stories/stories.ts';
import { canHave, faults, programFaults, type Fault, type Incident } from './faults.ts';

/** Latest end of a random incident, after the end of its period. */
const LONGEST_OVERHANG_MS = 16 * HOUR_MS;

/**
 * Incidents of all GPUs over time: those of stories, and random ones on the other GPUs. Time is divided into periods of 24 h, aligned to the end of the history. Each
 * incident of a period is still active when the period ends, so every customer has GPUs in all health states at the end
 * of the history and every 24 h after it.
 */
export class IncidentCalendar {
  readonly #simulation: Simulation;
  readonly #stories: Stories;
  readonly #gpusOf: Map<number, Gpu[]>;
  readonly #incidents: Incident[][];
  #nextPeriod: number;

  /** @param from earliest time that the calendar will be queried for */
  constructor(simulation: Simulation, fleet: Fleet, stories: Stories, from: number) {
    this.#simulation = simulation;
    this.#stories = stories;
    this.#gpusOf = Map.groupBy(fleet.gpus, (gpu) => gpu.host.owner.customer_id);
    this.#incidents = fleet.gpus.map(() => []);
    // Incidents of the two previous periods may still be active.
    this.#nextPeriod = this.#periodOf(from) - 2;
  }

  /** Returns the incidents of a GPU that begin before the end of the period of `until`, in time order. */
  of(gpu: Gpu, until: number): readonly Incident[] {
    for (; this.#nextPeriod <= this.#periodOf(until); this.#nextPeriod++) {
      for (const incident of this.#incidentsOf(this.#nextPeriod))
        this.#incidents[incident.gpu.index]!.push(incident);
    }
    return this.#incidents[gpu.index]!;
  }

  /** Returns the period of `at`. A period includes its end, so `now` is the end of period -1. */
  #periodOf(at: number): number {
    return Math.ceil((at - this.#simulation.now) / DAY_MS) - 1;
  }

  #incidentsOf(period: number): Incident[] {
    const { seed, now } = this.#simulation;
    const start = now + period * DAY_MS;
    const scripted = this.#stories.incidents.filter((incident) => this.#periodOf(incident.start) === period);
    const busy = new Set(
      [...this.#stories.incidents, ...this.#stories.jobs.values()]
        .filter((one) => one.end > start && one.start < start + DAY_MS + LONGEST_OVERHANG_MS)
        .map(({ gpu }) => gpu),
    );
    const random = [...this.#gpusOf].flatMap(([customer, gpus]) => {
      const random = new SeededRandom(seed, 'incidents', customer, period);
      // Each period uses every other GPU, so that a GPU never has two incidents at once.
      const free = new Set(gpus.filter((gpu) => Math.abs(gpu.index + period) % 2 === 0 && !busy.has(gpu)));
      const rounds = Math.max(1, Math.floor(gpus.length / 160));
      const boardFaults = Array.from({ length: rounds }, () => faults).flat();
      const seen = new Set<string>();
      const incidents: Incident[] = [];
      for (const fault of boardFaults) {
        const incident = incidentOf(random, free, fault, start, !seen.has(fault.health));
        if (incident) incidents.push(incident);
        if (incident) seen.add(fault.health);
      }
      for (let i = 0; i < gpus.length / 40; i++) {
        const incident = incidentOf(random, free, random.pick(programFaults), start, false);
        if (incident) incidents.push(incident);
      }
      return incidents;
    });
    return [...scripted, ...random];
  }
}

/**
 * Plans one incident on a free GPU.
 *
 * @param early starts it before the incidents of the previous period end, so that each health state is always present
 */
function incidentOf(
  random: SeededRandom,
  free: Set<Gpu>,
  fault: Fault,
  periodStart: number,
  early: boolean,
): Incident | undefined {
  const able = [...free].filter((gpu) => canHave(gpu, fault));
  if (able.length === 0) return undefined;
  const gpu = random.pick(able);
  free.delete(gpu);
  return {
    gpu,
    fault,
    start: Math.round(periodStart + (early ? random.between(2, 4) : random.between(3, 22.5)) * HOUR_MS),
    end: Math.round(periodStart + DAY_MS + random.between(5 * HOUR_MS, LONGEST_OVERHANG_MS)),
  };
}

/**
 * Returns when the data of a GPU stops. An exporter first repeats the last values of a GPU that fell off the bus. The delay
 * is long enough for one sample, taken every 5 minutes, to contain the XID.
 */
export function noDataFrom({ fault, start }: Incident): number {
  return start + (fault.xid === undefined ? 0 : 6 * MINUTE_MS);
}
