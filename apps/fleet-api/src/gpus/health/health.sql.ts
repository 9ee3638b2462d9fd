import { LEAST_SILENCE_SECONDS, MISSED_REPORTS } from './silence.ts';

/**
 * A GPU's health, decided when it is read from the facts the importer stored, so that it changes with the clock and
 * without a write (docs/gpu-health.md).
 *
 * @param gpu the alias of `fleet.gpus`
 */
export function healthSql(gpu: string): string {
  const silence = `greatest(${gpu}.report_interval_seconds * interval '${MISSED_REPORTS} seconds', interval '${LEAST_SILENCE_SECONDS} seconds')`;
  return `CASE WHEN ${gpu}.last_seen < now() - ${silence} THEN 'missing'
    WHEN ${gpu}.critical_until > now() THEN 'critical'
    WHEN ${gpu}.degraded_until > now() THEN 'degraded'
    ELSE 'healthy' END`;
}
