import type { GpuHealth } from '@gpu-observatory/domain-types';

/** Moments that decide the health of a GPU, in ms since the epoch. */
export interface HealthTimes {
  /** When the GPU goes missing unless it reports again; null without telemetry. */
  missingAt: number | null;
  /** End of the last critical signal; null or -Infinity without one. */
  criticalUntil: number | null;
  /** End of the last degraded signal; null or -Infinity without one. */
  degradedUntil: number | null;
}

/**
 * Returns the health at a moment. `missing` comes before the others: what the GPU reported last may be outdated
 * (docs/gpu-health.md). `healthSql` is the same rule in SQL.
 */
export function healthAt({ missingAt, criticalUntil, degradedUntil }: HealthTimes, atMs: number): GpuHealth {
  if (missingAt !== null && missingAt < atMs) return 'missing';
  if (criticalUntil !== null && criticalUntil > atMs) return 'critical';
  if (degradedUntil !== null && degradedUntil > atMs) return 'degraded';
  return 'healthy';
}
