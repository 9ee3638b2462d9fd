/**
 * A GPU's health, decided when it is read from the facts the importer stored, so that it changes with the clock and
 * without a write (docs/gpu-health.md).
 *
 * @param gpu the alias of `fleet.gpus`
 */
export function healthSql(gpu: string): string {
  return `CASE WHEN ${gpu}.missing_at < now() THEN 'missing'
    WHEN ${gpu}.critical_until > now() THEN 'critical'
    WHEN ${gpu}.degraded_until > now() THEN 'degraded'
    ELSE 'healthy' END`;
}

/**
 * The last moment up to now at which the clock alone changed a GPU's health; null when there was none. While the data stay
 * as they are, health is what it was for as long as this is. Each kind of change is found at the end of its own index.
 *
 * @param rows what of `g` is asked about
 */
export function healthChangedSql(rows: () => string): string {
  return `greatest(
      (SELECT max(g.missing_at) FROM fleet.gpus g WHERE ${rows()} AND g.missing_at < now()),
      (SELECT max(g.critical_until) FROM fleet.gpus g WHERE ${rows()} AND g.critical_until <= now()),
      (SELECT max(g.degraded_until) FROM fleet.gpus g WHERE ${rows()} AND g.degraded_until <= now()))`;
}
