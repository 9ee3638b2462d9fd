import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { Fleet, Gpu } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { SeededRandom } from '../random.ts';
import type { Stories } from '../stories/stories.ts';
import { canHave, faults, programFaults, type Fault, type Incident } from './faults.ts';

/** Latest end of a random incident, after the end of its period. */
const LONGEST_OVERHANG_MS = 16 * HOUR_MS;

/** Returns the incidents of a GPU that begin before the end of the period of `until`, in time order. */
export type IncidentCalendar = (gpu: Gpu, until: number) => readonly Incident[];

/**
 * Plans the incidents of all GPUs: those of stories, and random ones on the other GPUs. Time is divided into periods of 24 h,
 * aligned to the end of the history. Each incident of a period is still active when the period ends, so every customer has
 * GPUs in all health states at the end of the history and every 24 h after it.
 *
 * @param from earliest time that the calendar will be queried for
 */
export function incidentCalendar(
  { seed, now }: Simulation,
  { gpus: all }: Fleet,
  stories: Stories,
  from: number,
): IncidentCalendar {
  const ofCustomers = [...Map.groupBy(all, ({ host }) => host.owner.customer_id)];
  const planned = all.map((): Incident[] => []);
  /** A period includes its end, so `now` is the end of period -1. */
  const periodOf = (at: number) => Math.ceil((at - now) / DAY_MS) - 1;

  const randomIncidents = (period: number): Incident[] => {
    const start = now + period * DAY_MS;
    const busy = new Set(
      [...stories.incidents, ...stories.jobs.values()]
        .filter((one) => one.end > start && one.start < start + DAY_MS + LONGEST_OVERHANG_MS)
        .map(({ gpu }) => gpu),
    );
    return ofCustomers.flatMap(([customer, gpus]) => {
      const random = new SeededRandom(seed, 'incidents', customer, period);
      // Each period uses every other GPU, so that a GPU never has two incidents at once.
      const free = new Set(gpus.filter((gpu) => Math.abs(gpu.index + period) % 2 === 0 && !busy.has(gpu)));
      const rounds = Math.max(1, Math.floor(gpus.length / 160));
      const ofBoards = Array.from({ length: rounds }, () => faults).flat();
      const ofPrograms = Array.from({ length: Math.ceil(gpus.length / 40) }, () =>
        random.pick(programFaults),
      );
      const seen = new Set<string>(['healthy']);
      return [...ofBoards, ...ofPrograms].flatMap((fault) => {
        const incident = incidentOf(random, free, fault, start, !seen.has(fault.health));
        if (incident) seen.add(fault.health);
        return incident ?? [];
      });
    });
  };

  // Incidents of the two previous periods may still be active.
  let nextPeriod = periodOf(from) - 2;
  return (gpu, until) => {
    for (; nextPeriod <= periodOf(until); nextPeriod++) {
      const scripted = stories.incidents.filter((incident) => periodOf(incident.start) === nextPeriod);
      for (const incident of [...scripted, ...randomIncidents(nextPeriod)])
        planned[incident.gpu.index]!.push(incident);
    }
    return planned[gpu.index]!;
  };
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
