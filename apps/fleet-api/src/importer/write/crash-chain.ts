import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { addMs, type HealthSignal } from '../../model/health/health-signal.ts';
import { incidentOpenings, isWithinReach } from '../../model/health/xid-incident.ts';
import type { CriticalXid, MetricState } from './metric-state.ts';

/** Two incidents of critical XIDs closer than this are a crash chain (docs/fleet-api.md#fleet-metrics). */
const CHAIN_MS = 3 * MINUTE_MS;
const MAX_STORED_XIDS = 50;

/** Adds a critical XID, which may be earlier than XIDs that were already added. */
export function addCriticalXid(
  state: MetricState,
  xid: CriticalXid,
  signals: readonly HealthSignal[],
): MetricState {
  const { at } = xid;
  const xids = [...(state.criticalXids ?? []), xid].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const oldest = addMs((xids.at(-1) as CriticalXid).at, -DAY_MS);
  const criticalXids = xids.filter((one) => one.at > oldest).slice(-MAX_STORED_XIDS);
  const crashChainAt = [state.crashChainAt, lastChainAt(criticalXids)]
    .filter((chainAt) => chainAt !== undefined)
    .sort()
    .at(-1);
  // A late XID: the GPU was not healthy after it, although earlier records showed it as healthy.
  const { healthyUntil } = state;
  const appliesUntilThen = signals.some(
    ({ rule, until }) => rule === 'critical_xid' && healthyUntil !== undefined && until >= healthyUntil,
  );
  return {
    ...state,
    criticalXids,
    ...(crashChainAt === undefined ? {} : { crashChainAt }),
    ...(appliesUntilThen && healthyUntil !== undefined && at < healthyUntil ? { healthyUntil: at } : {}),
  };
}

/** Removes the critical XIDs of the gauge that show the XID of a line of the driver. */
export function withdrawCriticalXid(state: MetricState, driver: { at: string; code: number }): MetricState {
  const { criticalXids = [], crashChainAt, ...rest } = state;
  const isShown = ({ at, code, reachMs = 0 }: CriticalXid) =>
    reachMs > 0 &&
    code === driver.code &&
    isWithinReach({ atMs: Date.parse(at), reachMs }, { atMs: Date.parse(driver.at) });
  const left = criticalXids.filter((xid) => !isShown(xid));
  const first = criticalXids[0];
  if (first === undefined || left.length === criticalXids.length) return state;
  // A chain that is older than the stored XIDs cannot be recomputed, and none of them was part of it.
  const isOlder = crashChainAt !== undefined && crashChainAt <= first.at;
  const chainAt = isOlder ? crashChainAt : lastChainAt(left);
  return { ...rest, criticalXids: left, ...(chainAt === undefined ? {} : { crashChainAt: chainAt }) };
}

/** Returns when the last crash chain began: at an incident soon after another one. */
function lastChainAt(xids: CriticalXid[]): string | undefined {
  const openings = openingTimes(xids);
  return openings.findLast((openedAt, i) => i > 0 && openedAt < addMs(openings[i - 1] as string, CHAIN_MS));
}

/** Returns the times at which incidents began, in order. */
function openingTimes(xids: CriticalXid[]): string[] {
  const ofCodes = Map.groupBy(xids, ({ code }) => code);
  return [...ofCodes.values()]
    .flatMap((ofCode) => {
      const openings = incidentOpenings(
        ofCode.map(({ at, reachMs = 0 }) => ({ atMs: Date.parse(at), variant: '', reachMs })),
      );
      return ofCode.filter((_xid, i) => openings[i]).map(({ at }) => at);
    })
    .sort();
}

/** Returns the time of the active crash chain, or null. A healthy interval ends a chain. */
export function activeChainAt({ crashChainAt, healthyUntil }: MetricState): string | null {
  if (crashChainAt === undefined) return null;
  return healthyUntil === undefined || healthyUntil <= crashChainAt ? crashChainAt : null;
}
