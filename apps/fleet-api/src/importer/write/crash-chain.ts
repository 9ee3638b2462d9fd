import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { addMs, type HealthSignal } from '../../model/health/health-signal.ts';
import type { MetricState } from './metric-state.ts';

/** Two critical XIDs closer than this are a crash chain (docs/fleet-api.md#fleet-metrics). */
const CHAIN_MS = 3 * MINUTE_MS;
const MAX_STORED_XIDS = 50;

/** Adds a critical XID, which may be earlier than XIDs that were already added. */
export function addCriticalXid(
  state: MetricState,
  at: string,
  signals: readonly HealthSignal[],
): MetricState {
  const xidTimes = [...(state.criticalXids ?? []), at].sort();
  const oldest = addMs(xidTimes.at(-1) as string, -DAY_MS);
  const criticalXids = xidTimes.filter((xidAt) => xidAt > oldest).slice(-MAX_STORED_XIDS);
  const chained = criticalXids.filter(
    (xidAt, i) => i > 0 && xidAt < addMs(criticalXids[i - 1] as string, CHAIN_MS),
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

/** Returns the time of the active crash chain, or null. A healthy interval ends a chain. */
export function activeChainAt({ crashChainAt, healthyUntil }: MetricState): string | null {
  if (crashChainAt === undefined) return null;
  return healthyUntil === undefined || healthyUntil <= crashChainAt ? crashChainAt : null;
}
