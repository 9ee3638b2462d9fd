import type { GpuHealth } from '@gpu-observatory/domain-types';
import { healthSql } from './health.sql.ts';

/**
 * Returns the rank of a GPU in lists; the most urgent GPU has the lowest. A missing GPU with a critical signal follows the critical
 * ones, because it has failed, whereas other missing GPUs may have been shut down.
 */
export function urgencySql(gpu: string): string {
  return `CASE ${healthSql(gpu)} WHEN 'critical' THEN 0 WHEN 'degraded' THEN 2 WHEN 'healthy' THEN 4
    ELSE CASE WHEN ${gpu}.critical_until > now() THEN 1 ELSE 3 END END`;
}

/** Health of each rank of `urgencySql`. */
const HEALTH_OF_RANK: readonly GpuHealth[] = ['critical', 'missing', 'degraded', 'missing', 'healthy'];

/** Returns the health of a rank of `urgencySql`. */
export function healthOfRankSql(rank: string): string {
  return `('{${HEALTH_OF_RANK.join(',')}}'::text[])[${rank} + 1]`;
}

/** Returns the number of the grouped rows that have the lowest rank of `urgencySql`. */
export function countOfLowestRankSql(rank: string): string {
  const counts = HEALTH_OF_RANK.map((_health, n) => `count(*) FILTER (WHERE ${rank} = ${n})`);
  return `(ARRAY[${counts.join(', ')}])[min(${rank}) + 1]`;
}
