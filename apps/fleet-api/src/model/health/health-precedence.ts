import type { GpuHealth } from '@gpu-observatory/domain-types';

/** Moments that decide the health of a GPU, in ms since the epoch. */
interface HealthTimes {
  /** When the GPU goes missing unless it reports again; null without telemetry. */
  missingAtMs: number | null;
  /** End of the last critical signal; null or -Infinity without one. */
  criticalUntilMs: number | null;
  /** End of the last degraded signal; null or -Infinity without one. */
  degradedUntilMs: number | null;
}

/**
 * Returns the health at a moment. `missing` comes before the others: what the GPU reported last may be outdated
 * (docs/gpu-health.md). `healthSql` is the same rule in SQL.
 */
export function healthAt(
  { missingAtMs, criticalUntilMs, degradedUntilMs }: HealthTimes,
  atMs: number,
): GpuHealth {
  if (missingAtMs !== null && missingAtMs < atMs) return 'missing';
  if (criticalUntilMs !== null && criticalUntilMs > atMs) return 'critical';
  if (degradedUntilMs !== null && degradedUntilMs > atMs) return 'degraded';
  return 'healthy';
}
