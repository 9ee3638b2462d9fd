/** A GPU that is silent for so many of its reporting intervals, and for so long at least, is missing. */
const MISSED_REPORTS = 5;
const LEAST_SILENCE = '5 minutes';

/**
 * A GPU's health, decided when it is read from the facts the importer stored, so that it changes with the clock and
 * without a write (docs/gpu-health.md).
 *
 * @param gpu the alias of `fleet.gpus`
 */
export function healthSql(gpu: string): string {
  const silence = `greatest(${gpu}.report_interval_seconds * interval '${MISSED_REPORTS} seconds', interval '${LEAST_SILENCE}')`;
  return `CASE WHEN ${gpu}.last_seen < now() - ${silence} THEN 'missing'
    WHEN ${gpu}.critical_until > now() THEN 'critical'
    WHEN ${gpu}.degraded_until > now() THEN 'degraded'
    ELSE 'healthy' END`;
}
