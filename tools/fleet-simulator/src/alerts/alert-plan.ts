import type { AlertType } from '@gpu-observatory/domain-types';
import type { Fleet, Host } from '../fleet/fleet.ts';
import type { Simulation } from '../options.ts';
import { Dice, uuidOf } from '../random.ts';
import { DAY, MINUTE, SECOND } from '../time.ts';
import { attackStories } from './attack-stories.ts';
import { alertKinds, alertTypes } from './kinds/alert-kinds.ts';

/** An alert before it is told: enough to tell it the same way each time. */
export interface PlannedAlert {
  /** Alerts of the history and of the feed are counted apart. */
  series: 'history' | 'live';
  index: number;
  at: number;
  type: AlertType;
  host: Host;
  /** Part of an attack: steps of one attack share their agent session. */
  attack: number | null;
}

/** Alerts of the feed are 20 to 60 s apart: one in each slot, somewhere in its first half. */
const LIVE_SLOT = 40 * SECOND;

const weightedTypes = alertTypes.map((type) => [type, alertKinds[type].frequency] as const);

export function alertId(
  { seed }: Simulation,
  { series, index }: Pick<PlannedAlert, 'series' | 'index'>,
): string {
  return uuidOf(seed, `${series} alert`, index);
}

/** All alerts of the history, oldest first. Each customer gets its hosts' share, and every type if that allows. */
export function plannedHistory(simulation: Simulation, fleet: Fleet): PlannedAlert[] {
  const plans: PlannedAlert[] = [];
  let hostsDone = 0;
  for (const [customer, hosts] of Map.groupBy(fleet.hosts, ({ owner }) => owner.customer_id)) {
    hostsDone += hosts.length;
    const end = Math.round((simulation.alerts * hostsDone) / fleet.hosts.length);
    planCustomer(simulation, customer, hosts, plans, end);
  }
  return plans.sort((one, other) => one.at - other.at || one.index - other.index);
}

function planCustomer(
  { seed, now, days }: Simulation,
  customer: number,
  hosts: Host[],
  plans: PlannedAlert[],
  end: number,
): void {
  const dice = new Dice(seed, 'alerts', customer);
  const count = end - plans.length;
  const oneOfEach = plans.length + Math.min(alertTypes.length * 4, Math.floor(count / 2));
  const attacksEnd = oneOfEach + Math.floor((end - oneOfEach) * 0.06);
  // More of them lately than long ago; never in the very last second, so that `now` is after all of them.
  const moment = () => Math.floor(now - SECOND - (days * DAY - MINUTE) * dice.fraction() ** 1.4);
  const add = (at: number, type: AlertType, host: Host, attack: number | null) =>
    plans.push({ series: 'history', index: plans.length, at, type, host, attack });

  for (let i = 0; plans.length < oneOfEach; i++)
    add(moment(), alertTypes[i % alertTypes.length]!, dice.pick(hosts), null);
  while (plans.length < attacksEnd) {
    const attack = plans.length;
    const host = dice.pick(hosts);
    let at = moment();
    for (const [type, minutes] of dice.pick(attackStories)) {
      at += Math.floor(minutes * MINUTE * dice.between(0.5, 1.5) + dice.between(0, 20) * SECOND);
      if (at < now && plans.length < attacksEnd) add(at, type, host, attack);
    }
  }
  while (plans.length < end) add(moment(), dice.weighted(weightedTypes), dice.pick(hosts), null);
}

/** The alerts of the feed in (from, to], in time order. */
export function plannedLive(simulation: Simulation, fleet: Fleet, from: number, to: number): PlannedAlert[] {
  const plans: PlannedAlert[] = [];
  const first = Math.max(0, Math.floor((from - simulation.now) / LIVE_SLOT));
  for (let index = first; simulation.now + index * LIVE_SLOT <= to; index++) {
    const plan = liveAlert(simulation, fleet, index);
    if (plan.at > from && plan.at <= to) plans.push(plan);
  }
  return plans;
}

/** The alert in one slot of the feed. */
export function liveAlert({ seed, now }: Simulation, fleet: Fleet, index: number): PlannedAlert {
  const dice = new Dice(seed, 'live alert', index);
  return {
    series: 'live',
    index,
    at: Math.floor(now + index * LIVE_SLOT + dice.between(1, 20 * SECOND)),
    type: dice.weighted(weightedTypes),
    host: dice.pick(fleet.hosts),
    attack: null,
  };
}

/** The slot of the feed in which `at` lies. */
export function liveSlot({ now }: Simulation, at: number): number {
  return Math.floor((at - now) / LIVE_SLOT);
}
