import type { GpuHealth } from '@gpu-observatory/domain-types';

/** The column of `fleet.gpus` that decides one unhealthy state. It has an index. */
interface Condition {
  health: Exclude<GpuHealth, 'healthy'>;
  column: string;
  condition: string;
  /** Condition that the clock has changed the health at the time in the column: `missing` has begun, another state has ended. */
  passed: string;
}

/** In order of precedence: `healthAt` in SQL. */
const CONDITIONS: readonly Condition[] = [
  { health: 'missing', column: 'missing_at', condition: '< now()', passed: '< now()' },
  { health: 'critical', column: 'critical_until', condition: '> now()', passed: '<= now()' },
  { health: 'degraded', column: 'degraded_until', condition: '> now()', passed: '<= now()' },
];

/**
 * Returns an expression of the health of a GPU now. It is evaluated on read, so that health changes with the clock and without a
 * write (docs/gpu-health.md).
 *
 * @param gpu alias of `fleet.gpus`
 */
export function healthSql(gpu: string): string {
  const cases = CONDITIONS.map(
    ({ health, column, condition }) => `WHEN ${gpu}.${column} ${condition} THEN '${health}'`,
  );
  return `CASE ${cases.join(' ')} ELSE 'healthy' END`;
}

/** Returns the health signals of a GPU that apply now, as JSON. */
export function signalsSql(gpu: string): string {
  return `(SELECT coalesce(jsonb_agg(f), '[]') FROM jsonb_array_elements(${gpu}.health_signals) AS f
           WHERE (f ->> 'until')::timestamptz > now())`;
}

/** Returns a predicate for each unhealthy state that an index supports, with the column of the index. */
export function unhealthyRangesSql(gpu: string): { column: string; predicate: string }[] {
  return CONDITIONS.map(({ health, column, condition }) => ({
    column: `${gpu}.${column}`,
    predicate: `${gpu}.${column} ${condition} AND ${healthSql(gpu)} = '${health}'`,
  }));
}

/** Returns the predicate of healthy GPUs without a CASE: the planner estimates it correctly as most of the rows. */
export function isHealthySql(gpu: string): string {
  return CONDITIONS.map(({ column, condition }) => `(${gpu}.${column} ${condition}) IS NOT TRUE`).join(
    ' AND ',
  );
}

/**
 * Returns the last time until now at which the clock alone changed the health of a GPU; null without one. Without new data, health
 * has been constant since then. Each change is at the end of an index range.
 *
 * @param rows predicate of the rows `g`
 */
export function healthChangedSql(rows: string): string {
  const last = CONDITIONS.map(
    ({ column, passed }) =>
      `(SELECT max(g.${column}) FROM fleet.gpus g WHERE ${rows} AND g.${column} ${passed})`,
  );
  return `greatest(${last.join(', ')})`;
}

const lastEndSql = (gpu: string) => `greatest(${gpu}.critical_until, ${gpu}.degraded_until)`;

/** Returns the predicate of GPUs that went missing before their last signal ended. A GPU without samples has no time in its state. */
const wentMissingBeforeLastEndSql = (gpu: string) =>
  `${gpu}.missing_at <= ${lastEndSql(gpu)} AND ${gpu}.health_state ? 'at'`;

/**
 * Returns the predicate of GPUs that have not been healthy since their last signal, as of a moment: a signal still applies,
 * or the GPU went missing before the last one ended.
 *
 * @param at SQL expression of the moment
 */
export function unhealthySinceLastSignalSql(gpu: string, at: string): string {
  return `(${lastEndSql(gpu)} > ${at} OR ${wentMissingBeforeLastEndSql(gpu)})`;
}

/**
 * Returns the time at which a GPU of `unhealthySinceLastSignalSql` is healthy again; null if it went missing before, because only a
 * report ends `missing`.
 */
export function healthyAgainSql(gpu: string): string {
  return `CASE WHEN ${wentMissingBeforeLastEndSql(gpu)} THEN NULL ELSE ${lastEndSql(gpu)} END`;
}
