import type { Fleet, Gpu, Host } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { SeededRandom } from '../random.ts';
import type { Incident } from '../telemetry/faults.ts';
import { coolingFailure } from './cooling-failure.ts';
import { driverUpgrade } from './driver-upgrade.ts';
import { failingGpu } from './failing-gpu.ts';
import { miner } from './miner.ts';
import type { ClaimHost, Heat, ScriptedAlert, ScriptedJob } from './story.ts';

/** Hosts of a customer above which it has stories; in a smaller fleet they would be most of the events. */
const MIN_HOSTS = 16;

/** The stories of all customers, by the part of the simulation that uses them. */
export interface Stories {
  incidents: Incident[];
  jobs: Map<Gpu, ScriptedJob>;
  heat: Map<Host, Heat>;
  alerts: Map<number, ScriptedAlert[]>;
}

/** Plans the stories of each customer: a failing GPU, a cooling failure, a miner and a driver upgrade. */
export function planStories({ seed, now }: Simulation, fleet: Fleet): Stories {
  const stories: Stories = { incidents: [], jobs: new Map(), heat: new Map(), alerts: new Map() };
  for (const [customer, hosts] of Map.groupBy(fleet.hosts, ({ owner }) => owner.customer_id)) {
    if (hosts.length < MIN_HOSTS) continue;
    const free = new Set(hosts);
    const random = new SeededRandom(seed, 'stories', customer);
    const claim: ClaimHost = (isFit) => {
      const fit = [...free].filter(isFit);
      if (fit.length === 0) return undefined;
      const host = random.pick(fit);
      free.delete(host);
      return host;
    };
    const all = [
      driverUpgrade(now, claim),
      coolingFailure(now, claim),
      failingGpu(now, claim),
      miner(now, claim),
    ];
    for (const story of all) {
      if (!story) continue;
      stories.incidents.push(...(story.incidents ?? []));
      for (const job of story.jobs ?? []) stories.jobs.set(job.gpu, job);
      for (const heat of story.heat ?? []) stories.heat.set(heat.host, heat);
      stories.alerts.set(customer, [...(stories.alerts.get(customer) ?? []), ...story.alerts]);
    }
  }
  return stories;
}
