import { type AlertType, DAY_MS, MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import type { Host } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { SeededRandom } from '../random.ts';
import type { SimulatedFleet } from '../simulated-fleet.ts';
import type { ScriptedAlert } from '../stories/story.ts';
import { alertKinds, alertTypes } from './kinds/alert-kinds.ts';

/** Everything that determines the records of one alert. */
export interface PlannedAlert {
  /** `index` counts separately in the history and in the live feed. */
  series: 'history' | 'live';
  index: number;
  at: number;
  type: AlertType;
  host: Host;
  /** Texts of an alert of a story. */
  script?: ScriptedAlert;
}

/** Share of a customer's alerts above which it gets no alerts of stories. */
const MAX_SCRIPTED = 0.05;

/** The live feed has one alert in the first half of each slot, so alerts are 20 to 60 s apart. */
const LIVE_SLOT_MS = 40 * SECOND_MS;

const weightedTypes = alertTypes.map((type) => {
  const { severities } = alertKinds[type];
  return [type, severities.reduce((sum, weight) => sum + weight, 0)] as const;
});

/** Plans all alerts of the history, oldest first. Each customer gets a share by its hosts, with every type if possible. */
export function planHistory({ simulation, hosts: all, stories }: SimulatedFleet): PlannedAlert[] {
  const plans: PlannedAlert[] = [];
  let hostsDone = 0;
  for (const [customer, hosts] of Map.groupBy(all, ({ owner }) => owner.customer_id)) {
    hostsDone += hosts.length;
    const end = Math.round((simulation.alerts * hostsDone) / all.length);
    planCustomer(simulation, customer, hosts, stories.alerts.get(customer) ?? [], plans, end);
  }
  return plans.sort((one, other) => one.at - other.at || one.index - other.index);
}

function planCustomer(
  { seed, now, days }: Simulation,
  customer: number,
  hosts: Host[],
  scripts: readonly ScriptedAlert[],
  plans: PlannedAlert[],
  end: number,
): void {
  const random = new SeededRandom(seed, 'alerts', customer);
  const count = end - plans.length;
  const oneOfEach = plans.length + Math.min(alertTypes.length * 4, Math.floor(count / 2));
  // Denser towards the end. The last second stays free, so that `now` is after every alert.
  const moment = () => Math.floor(now - SECOND_MS - (days * DAY_MS - MINUTE_MS) * random.fraction() ** 1.4);
  const add = (type: AlertType) =>
    plans.push({ series: 'history', index: plans.length, at: moment(), type, host: random.pick(hosts) });

  if (scripts.length <= count * MAX_SCRIPTED)
    for (const script of scripts) plans.push({ ...script, series: 'history', index: plans.length, script });
  for (let i = 0; plans.length < oneOfEach; i++) add(alertTypes[i % alertTypes.length]!);
  while (plans.length < end) add(random.weighted(weightedTypes));
}

/** Plans the live alerts in (from, to], in time order. */
export function planLive({ simulation, hosts }: SimulatedFleet, from: number, to: number): PlannedAlert[] {
  const { seed, now } = simulation;
  const plans: PlannedAlert[] = [];
  const first = Math.max(0, Math.floor((from - now) / LIVE_SLOT_MS));
  for (let index = first; now + index * LIVE_SLOT_MS <= to; index++) {
    const random = new SeededRandom(seed, 'live alert', index);
    const at = Math.floor(now + index * LIVE_SLOT_MS + random.between(1, 20 * SECOND_MS));
    const type = random.weighted(weightedTypes);
    const host = random.pick(hosts);
    if (at > from && at <= to) plans.push({ series: 'live', index, at, type, host });
  }
  return plans;
}
