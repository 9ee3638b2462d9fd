import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { addMs, type HealthSignal } from '../../model/health/health-signal.ts';
import { incidentOpenings } from '../../model/health/xid-incident.ts';
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
  const openings = openingTimes(criticalXids);
  const chained = openings.filter(
    (openedAt, i) => i > 0 && openedAt < addMs(openings[i - 1] as string, CHAIN_MS),
  );
  const crashChainAt = [state.crashChainAt, chained.at(-1)]
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
