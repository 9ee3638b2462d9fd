import { LEAST_SILENCE_SECONDS, MISSED_REPORTS } from './silence.ts';

/**
 * A GPU's health, decided when it is read from the facts the importer stored, so that it changes with the clock and
 * without a write (docs/gpu-health.md).
 *
 * @param gpu the alias of `fleet.gpus`
 */
export function healthSql(gpu: string): string {
  return `CASE WHEN ${gpu}.last_seen < now() - ${silenceSql(gpu)} THEN 'missing'
    WHEN ${gpu}.critical_until > now() THEN 'critical'
    WHEN ${gpu}.degraded_until > now() THEN 'degraded'
    ELSE 'healthy' END`;
}

/**
 * The last moment up to now at which the clock alone may have changed a GPU's health; null when there was none. While the
 * data stay as they are, health is what it was for as long as the latest of these of all GPUs is.
 *
 * @param gpu the alias of `fleet.gpus`
 */
export function healthChangedSql(gpu: string): string {
  return `greatest(CASE WHEN ${gpu}.last_seen < now() - ${silenceSql(gpu)} THEN ${gpu}.last_seen + ${silenceSql(gpu)} END,
    CASE WHEN ${gpu}.critical_until <= now() THEN ${gpu}.critical_until END,
    CASE WHEN ${gpu}.degraded_until <= now() THEN ${gpu}.degraded_until END)`;
}

function silenceSql(gpu: string): string {
  return `greatest(${gpu}.report_interval_seconds * interval '${MISSED_REPORTS} seconds', interval '${LEAST_SILENCE_SECONDS} seconds')`;
}
