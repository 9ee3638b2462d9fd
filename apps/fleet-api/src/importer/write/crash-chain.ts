import { later, type HealthFact } from '../../model/health/health-signal.ts';
import type { MetricMemory } from './metric-state.ts';

/** Two critical XIDs closer than this are a crash chain (decisions, section 2, Metrics). */
const CHAIN_MS = 3 * 60_000;
const REMEMBERED_MS = 24 * 3_600_000;
const MOST_REMEMBERED = 50;

/** Takes a critical XID, which may have happened before others that are known. */
export function addCriticalXid(memory: MetricMemory, at: string, facts: readonly HealthFact[]): MetricMemory {
  const known = [...(memory.criticalXids ?? []), at].sort();
  const oldest = later(known.at(-1) as string, -REMEMBERED_MS);
  const criticalXids = known.filter((one) => one > oldest).slice(-MOST_REMEMBERED);
  const closes = criticalXids.filter(
    (one, i) => i > 0 && one < later(criticalXids[i - 1] as string, CHAIN_MS),
  );
  const crashChainAt = [memory.crashChainAt, closes.at(-1)]
    .filter((one) => one !== undefined)
    .sort()
    .at(-1);
  // Told late, it says that the GPU was not healthy from then on, whatever was thought.
  const { healthyUntil } = memory;
  const stillHeld = facts.some(
    ({ rule, until }) => rule === 'critical_xid' && healthyUntil !== undefined && until >= healthyUntil,
  );
  return {
    ...memory,
    criticalXids,
    ...(crashChainAt === undefined ? {} : { crashChainAt }),
    ...(stillHeld && healthyUntil !== undefined && at < healthyUntil ? { healthyUntil: at } : {}),
  };
}

/** Since when a chain goes on: a healthy spell ends it. */
export function activeChainAt({ crashChainAt, healthyUntil }: MetricMemory): string | null {
  if (crashChainAt === undefined) return null;
  return healthyUntil === undefined || healthyUntil <= crashChainAt ? crashChainAt : null;
}
