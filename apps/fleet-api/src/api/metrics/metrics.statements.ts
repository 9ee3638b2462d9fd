import { epochMsSql } from '../../model/epoch-ms.sql.ts';
import { healthyAgainSql, unhealthySinceLastSignalSql } from '../../model/health/health.sql.ts';
import { EDGE, ENTITY_KINDS } from '../../model/metrics/counted-entities.ts';
import { GRAIN } from '../../model/metrics/time-grains.ts';
import type { AlertType } from '@gpu-observatory/domain-types';
import type { Range } from '../access/access-scope.ts';
import { byRange, inRollupScopeSql, inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { countedSql } from '../alerts/counts/counted-alerts.sql.ts';
import type { CountStatementParameters } from '../alerts/counts/stored-counts.ts';
import { DATA_VERSION, type DataVersionRow } from '../data-version/data-version.ts';
import { METRIC_SUM_COLUMNS, METRIC_SUMS_TEXT } from './day-sums.ts';

/** Number of a day in the window, from 0. */
type DayNumber = number;
/** Numbers of entities of a kind with an edge before the window, and with an edge on each of `days`. A day may occur twice. */
export type EntityRow = [kind: number, edge: number, before: number, days: DayNumber[], n: number[]];
/** Number of GPUs that went missing in a day or hour, and the sum of the times from its start until then, in ms. */
export type MissingRow = [grain: number, bucketMs: number, n: number, offsetMs: number];

/** The inputs of the metrics of a customer, from one snapshot. */
export interface MetricsRow {
  /** The sums of days as text, which `daySumsOf` parses. */
  days: string | null;
  entities: EntityRow[];
  missing: MissingRow[];
  types: (readonly [type: AlertType, n: number])[];
  /** Times at which the GPUs in crash chains become healthy again, in ms since the epoch; null if only a report makes them healthy. */
  crash_chains: (number | null)[];
  data_version: DataVersionRow | null;
}

const WINDOW_START = ':from::timestamptz';
const WINDOW_END = ':to::timestamptz';

/** Returns the expression of the number of a day in the window, from 0. @param day expression of a midnight in UTC, like `:from` */
const dayNumberSql = (day: string) =>
  `(${day} AT TIME ZONE 'UTC')::date - (${WINDOW_START} AT TIME ZONE 'UTC')::date`;

/**
 * Returns a query of the sums of each day, in the format of `daySumsOf`. Converting the numbers to text would take more than half of
 * the database time of a customer's metrics, so each row also stores its text (`sums`). A customer has one row per day; in other
 * scopes, the rows of a day are added up.
 */
function daysSql(range: Range): string {
  const rowsOf = (columns: string) =>
    `SELECT d.day, ${columns} FROM fleet.metric_days d WHERE ${inRollupScopeSql('d', range)} AND d.day >= ${WINDOW_START} AND d.day < ${WINDOW_END}`;
  const days =
    range === 'customer'
      ? `SELECT ${dayNumberSql('d.day')} AS number, d.sums FROM (${rowsOf('d.sums')}) AS d`
      : `SELECT ${dayNumberSql('d.day')} AS number, ${METRIC_SUMS_TEXT} AS sums FROM (${rowsOf(METRIC_SUM_COLUMNS)}) AS d GROUP BY d.day`;
  return `SELECT string_agg(day.number || ',' || day.sums, ',') FROM (${days}) AS day`;
}

/** Returns a query of the `EntityRow`s. Counts by month are read up to the month in which the window starts, then counts by day. */
function entitiesSql(range: Range): string {
  const month = `date_trunc('month', ${WINDOW_START}, 'UTC')`;
  const edgesSql = `c.edge IN (${EDGE.first}, ${EDGE.last})`;
  const inWindowSql = `c.bucket >= ${WINDOW_START}`;
  return `SELECT coalesce(json_agg(json_build_array(t.kind, t.edge, t.before, t.days, t.n)), '[]')
    FROM (SELECT c.kind, c.edge, coalesce(sum(c.n) FILTER (WHERE NOT ${inWindowSql}), 0) AS before,
            coalesce(array_agg(${dayNumberSql('c.bucket')}) FILTER (WHERE ${inWindowSql}), '{}') AS days,
            coalesce(array_agg(c.n) FILTER (WHERE ${inWindowSql}), '{}') AS n
          FROM (
            SELECT c.kind, c.edge, c.bucket, c.n FROM fleet.entity_counts c
            WHERE ${inRollupScopeSql('c', range)} AND ${edgesSql} AND c.grain = ${GRAIN.month} AND c.bucket < ${month} AND c.n <> 0
            UNION ALL
            SELECT c.kind, c.edge, c.bucket, c.n FROM fleet.entity_counts c
            WHERE ${inRollupScopeSql('c', range)} AND ${edgesSql} AND c.grain = ${GRAIN.day} AND c.bucket >= ${month} AND c.bucket < ${WINDOW_END} AND c.n <> 0
          ) AS c GROUP BY c.kind, c.edge) AS t`;
}

/** Returns a query of the `MissingRow`s of days, and of the hours of the last day, in which the window or the customer's data ends. */
function missingSql(range: Range): string {
  const lastDay = `(SELECT date_trunc('day', least(max(p.imported_at), ${WINDOW_END}), 'UTC')
    FROM fleet.data_versions p WHERE p.customer_id = :customer)`;
  const wentMissingSql = `c.edge = ${EDGE.missing} AND c.kind = ${ENTITY_KINDS.indexOf('gpu')} AND c.n <> 0`;
  return `SELECT coalesce(json_agg(json_build_array(m.grain, ${epochMsSql('m.bucket')}, m.n, m.offset_ms)), '[]')
    FROM (
      SELECT c.grain, c.bucket, c.n, c.offset_ms FROM fleet.entity_counts c
      WHERE ${inRollupScopeSql('c', range)} AND ${wentMissingSql} AND c.grain = ${GRAIN.day} AND c.bucket >= ${WINDOW_START} AND c.bucket < ${WINDOW_END}
      UNION ALL
      SELECT c.grain, c.bucket, c.n, c.offset_ms FROM fleet.entity_counts c
      WHERE ${inRollupScopeSql('c', range)} AND ${wentMissingSql} AND c.grain = ${GRAIN.hour}
        AND c.bucket >= ${lastDay} AND c.bucket >= ${WINDOW_START} AND c.bucket < ${WINDOW_END}
    ) AS m`;
}

/** Returns a query of the number of alerts of each type. */
function typesSql(range: Range): string {
  return `SELECT coalesce(json_agg(json_build_array(t.type, t.n)), '[]')
    FROM (SELECT counted.type, sum(counted.n)::bigint AS n FROM (${countedSql({ groupedBy: ['type'] }, range)}) AS counted
          GROUP BY counted.type HAVING sum(counted.n) > 0) AS t`;
}

/**
 * Query of the times at which the GPUs in a crash chain become healthy again. It includes the GPUs that have been unhealthy since their
 * last signal, as of the newest import of the customer. The time is null for a GPU that went missing.
 */
const CRASH_CHAINS = `SELECT coalesce(json_agg(${epochMsSql(healthyAgainSql('g'))}), '[]') FROM fleet.gpus g,
      (SELECT max(p.imported_at) AS at FROM fleet.data_versions p WHERE p.customer_id = :customer) AS clock
    WHERE ${inScopeSql('g')} AND g.crash_chain_at >= ${WINDOW_START} AND g.crash_chain_at < ${WINDOW_END}
      AND ${unhealthySinceLastSignalSql('g', 'clock.at')}`;

/** The inputs of the metrics, by ranges of the primary keys of rollups. The statement for an API key is rare, so it is not prepared. */
export const METRICS: Record<Range, TenantStatement<CountStatementParameters>> = byRange(
  (range) =>
    new TenantStatement(
      `SELECT (${daysSql(range)}) AS days, (${entitiesSql(range)}) AS entities,
    (${missingSql(range)}) AS missing, (${typesSql(range)}) AS types, (${CRASH_CHAINS}) AS crash_chains, ${DATA_VERSION} AS data_version`,
      { isPrepared: range !== 'apiKey' },
    ),
);
