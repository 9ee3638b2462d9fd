import { SEVERITIES } from '@gpu-observatory/domain-types';
import { DAY_READINGS } from '../../model/gpu-days/format.ts';
import { SUM_SCALE } from '../../model/metrics/measures.ts';
import { SCOPE_KIND } from '../../model/metrics/rollup-scope.ts';

/** Columns that identify a row of `metric_days` of a customer: scope and day. */
const KEY = 'scope_kind, api_key_id, workspace_id, day';
/** The scopes that include the rows `owned` of an owner. Without an API key, `api_key_id` of the last scope is null. */
const SCOPES_OF_OWNER = `VALUES (${SCOPE_KIND.customer}, 0, 0),
        (${SCOPE_KIND.workspace}, 0, coalesce(owned.workspace_id, 0)),
        (${SCOPE_KIND.apiKey}, owned.api_key_id, coalesce(owned.workspace_id, 0))`;
/** For means of `metric_days`, the prefix of the columns of `gpu_days` that have an array of half hours per day. */
const HALF_HOUR_COLUMNS = {
  gpu_utilization: 'utilization',
  gpu_temperature: 'temperature',
  gpu_power: 'power',
};
/** For the other means of `metric_days`, the prefix of the columns of `gpu_days` that have one value per day. */
const DAY_COLUMNS = [
  { mean: 'gpu_memory', column: 'memory_pct' },
  ...DAY_READINGS.map(({ mean, column }) => ({ mean, column })),
];

/** The means of `metric_days`, with the expressions of their sum and number of readings on a day `d` of `gpu_days`. */
const GPU_MEANS = [
  ...Object.entries(HALF_HOUR_COLUMNS).map(([mean, column]) => ({
    mean,
    sum: `(SELECT sum(value) FROM unnest(d.${column}_sum) AS value)`,
    n: `(SELECT sum(value) FROM unnest(d.${column}_n) AS value)`,
  })),
  ...DAY_COLUMNS.map(({ mean, column }) => ({
    mean,
    sum: `d.${column}_sum`,
    n: `d.${column}_n`,
  })),
];

const listOf = (columns: readonly string[], sqlOf: (column: string) => string) =>
  columns.map(sqlOf).join(', ');
const anyOf = (columns: readonly string[], conditionOf: (column: string) => string) =>
  columns.map(conditionOf).join(' OR ');

/** Returns a query of the days of `owned` (see `setDaysSql`) whose sums differ from those of the whole customer in `metric_days`. */
function differingDaysSql(columns: readonly string[]): string {
  return `SELECT o.day FROM (SELECT owned.day, ${listOf(columns, (column) => `sum(owned.${column}) AS ${column}`)} FROM owned GROUP BY owned.day) AS o
    LEFT JOIN fleet.metric_days m ON m.customer_id = $1 AND m.scope_kind = ${SCOPE_KIND.customer} AND m.api_key_id = 0 AND m.workspace_id = 0 AND m.day = o.day
    WHERE ${anyOf(columns, (column) => `o.${column} <> coalesce(m.${column}, 0)`)}`;
}

/**
 * Returns a statement that sets columns of `metric_days` for some days in every scope. Scopes without data become zero.
 * Only differing rows are updated, and one row is returned for each: on Citus, the command tag also counts the others.
 *
 * @param owned query of the sums of the customer `$1` by day and owner: day, workspace_id, api_key_id and the columns
 * @param days query of the days to set, which may use `owned`
 */
function setDaysSql(columns: readonly string[], owned: string, days: string): string {
  return `WITH owned AS MATERIALIZED (${owned}), days_to_set AS MATERIALIZED (${days})
    INSERT INTO fleet.metric_days AS stored (customer_id, ${KEY}, ${columns.join(', ')})
    SELECT $1, ${KEY}, ${listOf(columns, (column) => `sum(${column})`)}
    FROM (
      SELECT scope.scope_kind, scope.api_key_id, scope.workspace_id, owned.day, ${listOf(columns, (column) => `owned.${column}`)}
      FROM owned CROSS JOIN LATERAL (${SCOPES_OF_OWNER}) AS scope (scope_kind, api_key_id, workspace_id)
      WHERE scope.api_key_id IS NOT NULL
      UNION ALL
      SELECT m.scope_kind, m.api_key_id, m.workspace_id, m.day, ${listOf(columns, () => '0')}
      FROM fleet.metric_days m WHERE m.customer_id = $1 AND (${anyOf(columns, (column) => `m.${column} <> 0`)})
    ) AS computed
    WHERE day IN (SELECT days_to_set.day FROM days_to_set)
    GROUP BY ${KEY}
    ON CONFLICT (customer_id, ${KEY}) DO UPDATE SET ${listOf(columns, (column) => `${column} = excluded.${column}`)}
    WHERE ${anyOf(columns, (column) => `stored.${column} <> excluded.${column}`)}
    RETURNING stored.day`;
}

const ALERT_COUNTS = SEVERITIES.map((severity) => `alerts_${severity}`);

/** Corrects the numbers of alerts. */
export const ALERT_DAYS_SQL = setDaysSql(
  ALERT_COUNTS,
  `SELECT date_trunc('day', a.created_at, 'UTC') AS day, a.workspace_id, a.api_key_id,
     ${SEVERITIES.map((severity, rank) => `count(*) FILTER (WHERE a.severity = ${rank}) AS alerts_${severity}`).join(', ')}
   FROM fleet.alerts a WHERE a.customer_id = $1 GROUP BY 1, 2, 3`,
  `SELECT m.day FROM fleet.metric_days m
    WHERE m.customer_id = $1 AND ${ALERT_COUNTS.map((column) => `m.${column}`).join(' + ')} <> 0
    UNION SELECT owned.day FROM owned`,
);

/**
 * Corrects the sums of readings on days whose number of readings differs from `gpu_days`. All days of a GPU belong to its current
 * workspace, as in lists.
 */
export const GPU_DAYS_SQL = setDaysSql(
  GPU_MEANS.flatMap(({ mean }) => [`${mean}_sum`, `${mean}_n`]),
  `SELECT d.day, g.workspace_id, g.api_key_id,
     ${GPU_MEANS.map(({ mean, sum, n }) => `sum(round(${sum} * ${SUM_SCALE})) AS ${mean}_sum, sum(${n}) AS ${mean}_n`).join(', ')}
   FROM fleet.gpu_days d JOIN fleet.gpus g ON g.customer_id = d.customer_id AND g.gpu_id = d.gpu_id
   WHERE d.customer_id = $1 GROUP BY 1, 2, 3`,
  differingDaysSql(GPU_MEANS.map(({ mean }) => `${mean}_n`)),
);

/** Corrects the numbers of XID errors since `$2`, the start of the stored rollups; events may be kept longer. */
export const XID_DAYS_SQL = setDaysSql(
  ['xid_errors'],
  `SELECT date_trunc('day', x.at, 'UTC') AS day, g.workspace_id, g.api_key_id, count(*) FILTER (WHERE x.opens_incident) AS xid_errors
   FROM fleet.gpu_xid_events x JOIN fleet.gpus g ON g.customer_id = x.customer_id AND g.gpu_id = x.gpu_id
   WHERE x.customer_id = $1 AND x.at >= $2 GROUP BY 1, 2, 3`,
  differingDaysSql(['xid_errors']),
);
