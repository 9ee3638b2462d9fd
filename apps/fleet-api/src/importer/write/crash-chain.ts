import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { addMs, type HealthSignal, mergedByRule } from '../../model/health/health-signal.ts';
import { incidentOpenings, isWithinReach } from '../../model/health/xid-incident.ts';
import type { CriticalXid, MetricState } from './metric-state.ts';

/** Two incidents of critical XIDs closer than this are a crash chain (docs/fleet-api.md#fleet-metrics). */
const CHAIN_MS = 3 * MINUTE_MS;
/** Maximum number of XIDs in `fleet.gpus.metric_state`. */
const MAX_STORED_XIDS = 50;

/**
 * Adds a critical XID. It may be earlier than XIDs that were added before.
 *
 * @param signals health signals of the GPU, including that of the XID
 */
export function addCriticalXid(
  state: MetricState,
  xid: CriticalXid,
  signals: readonly HealthSignal[],
): MetricState {
  const criticalXids = latestXids([...(state.criticalXids ?? []), xid]);
  const chainTimes = [state.crashChainAt, lastChainAt(criticalXids)].filter((at) => at !== undefined);
  const crashChainAt = chainTimes.sort().at(-1);
  const healthyUntil = healthyUntilXid(state.healthyUntil, xid.at, signals);
  return {
    ...state,
    criticalXids,
    ...(crashChainAt === undefined ? {} : { crashChainAt }),
    ...(healthyUntil === undefined ? {} : { healthyUntil }),
  };
}

/** Sorts XIDs, and returns those of the 24 h before the newest. */
function latestXids(xids: CriticalXid[]): CriticalXid[] {
  const sorted = xids.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const oldest = addMs((sorted.at(-1) as CriticalXid).at, -DAY_MS);
  return sorted.filter(({ at }) => at > oldest).slice(-MAX_STORED_XIDS);
}

/**
 * Returns the end of the last healthy interval, corrected for a critical XID. A late XID moves the end to its own time if the GPU was
 * critical from then on, although the records before showed it as healthy.
 */
function healthyUntilXid(
  healthyUntil: string | undefined,
  at: string,
  signals: readonly HealthSignal[],
): string | undefined {
  if (healthyUntil === undefined || at >= healthyUntil) return healthyUntil;
  const isCritical = mergedByRule(signals).some(
    ({ rule, since, until }) => rule === 'critical_xid' && since <= at && until >= healthyUntil,
  );
  return isCritical ? at : healthyUntil;
}

/** Removes the critical XIDs that a gauge showed and that are the XID of this line of the driver, which decides their effect. */
export function removeGaugeXids(state: MetricState, line: { at: string; code: number }): MetricState {
  const { criticalXids = [], crashChainAt, ...rest } = state;
  const isXidOfLine = ({ at, code, reachMs = 0 }: CriticalXid) =>
    reachMs > 0 &&
    code === line.code &&
    isWithinReach({ atMs: Date.parse(at), reachMs }, { atMs: Date.parse(line.at) });
  const remaining = criticalXids.filter((xid) => !isXidOfLine(xid));
  const oldest = criticalXids[0];
  if (oldest === undefined || remaining.length === criticalXids.length) return state;
  // A chain that is older than the stored XIDs cannot be recomputed, and none of them was part of it.
  const keepsChain = crashChainAt !== undefined && crashChainAt <= oldest.at;
  const chainAt = keepsChain ? crashChainAt : lastChainAt(remaining);
  return { ...rest, criticalXids: remaining, ...(chainAt === undefined ? {} : { crashChainAt: chainAt }) };
}

/** Returns the time of the last incident less than `CHAIN_MS` after another one; undefined without one. */
function lastChainAt(xids: CriticalXid[]): string | undefined {
  const openings = openingTimes(xids);
  return openings.findLast((at, i) => i > 0 && at < addMs(openings[i - 1] as string, CHAIN_MS));
}

/** Returns the times at which incidents began, in order. */
function openingTimes(xids: CriticalXid[]): string[] {
  const byCode = Map.groupBy(xids, ({ code }) => code);
  return [...byCode.values()]
    .flatMap((xidsOfCode) => {
      const opens = incidentOpenings(
        xidsOfCode.map(({ at, reachMs = 0 }) => ({ atMs: Date.parse(at), variant: '', reachMs })),
      );
      return xidsOfCode.filter((_xid, i) => opens[i]).map(({ at }) => at);
    })
    .sort();
}

/** Returns the time of the active crash chain, or null. A healthy interval ends a chain. */
export function activeChainAt({ crashChainAt, healthyUntil }: MetricState): string | null {
  if (crashChainAt === undefined) return null;
  return healthyUntil === undefined || healthyUntil <= crashChainAt ? crashChainAt : null;
}
