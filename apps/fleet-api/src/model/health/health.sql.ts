import type { GpuHealth } from '@gpu-observatory/domain-types';

/**
 * The column of `fleet.gpus` that decides each unhealthy state, and its condition, in order of precedence: `healthAt` in
 * SQL. Each column has an index.
 */
const CONDITIONS: { health: Exclude<GpuHealth, 'healthy'>; column: string; condition: string }[] = [
  { health: 'missing', column: 'missing_at', condition: '< now()' },
  { health: 'critical', column: 'critical_until', condition: '> now()' },
  { health: 'degraded', column: 'degraded_until', condition: '> now()' },
];

/**
 * Returns the health of a GPU now. It is decided on read, so that it changes with the clock and without a write
 * (docs/gpu-health.md).
 *
 * @param gpu alias of `fleet.gpus`
 */
export function healthSql(gpu: string): string {
  const cases = CONDITIONS.map(
    ({ health, column, condition }) => `WHEN ${gpu}.${column} ${condition} THEN '${health}'`,
  );
  return `CASE ${cases.join(' ')} ELSE 'healthy' END`;
}

/**
 * Returns the rank of a GPU in lists, the most urgent first. A missing GPU with a critical signal is next to the critical
 * ones: it has failed, whereas others may have been shut down.
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

/** Returns how many of the rows that are grouped have the lowest rank of `urgencySql`. */
export function countOfLowestRankSql(rank: string): string {
  const counts = HEALTH_OF_RANK.map((_health, n) => `count(*) FILTER (WHERE ${rank} = ${n})`);
  return `(ARRAY[${counts.join(', ')}])[min(${rank}) + 1]`;
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
 * Returns the last moment until now when time alone changed the health of a GPU; null if it never did. While the data is
 * unchanged, health has been constant since. Each change is at the end of an index range.
 *
 * @param rows predicate of the rows `g`
 */
export function healthChangedSql(rows: string): string {
  const last = CONDITIONS.map(({ column }) => {
    const passed = column === 'missing_at' ? '< now()' : '<= now()';
    return `(SELECT max(g.${column}) FROM fleet.gpus g WHERE ${rows} AND g.${column} ${passed})`;
  });
  return `greatest(${last.join(', ')})`;
}

/**
 * Returns the predicate of GPUs that have not been healthy since their last signal, as of a moment: a signal still applies,
 * or the GPU went missing before the last one ended. A GPU that never sent a sample cannot go missing here.
 *
 * @param at SQL expression of the moment
 */
export function unhealthySinceLastSignalSql(gpu: string, at: string): string {
  const lastEnd = `greatest(${gpu}.critical_until, ${gpu}.degraded_until)`;
  return `(${lastEnd} > ${at} OR ${gpu}.missing_at <= ${lastEnd} AND ${gpu}.health_state ? 'at')`;
}

/**
 * Returns the time at which a GPU of `unhealthySinceLastSignalSql` is healthy again; null if it went missing before, since only a
 * report ends that.
 */
export function healthyAgainSql(gpu: string): string {
  const lastEnd = `greatest(${gpu}.critical_until, ${gpu}.degraded_until)`;
  return `CASE WHEN ${gpu}.missing_at <= ${lastEnd} AND ${gpu}.health_state ? 'at' THEN NULL ELSE ${lastEnd} END`;
}
