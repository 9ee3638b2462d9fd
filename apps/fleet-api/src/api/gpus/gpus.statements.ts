import { SERIES, type Series, TELEMETRY } from '../../model/gpu-days/read-telemetry.sql.ts';
import {
  healthChangedSql,
  healthSql,
  isHealthySql,
  unhealthyRangesSql,
} from '../../model/health/health.sql.ts';
import { urgencySql } from '../../model/health/urgency.sql.ts';
import { inScopeSql, unionAll } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { DATA_VERSION } from '../data-version/data-version.ts';
import { timestampSql } from '../timestamp.sql.ts';
import type { WindowParameters } from './telemetry-window.ts';

/** Maximum number of unhealthy GPUs that are read by the indexes on their health and sorted separately. */
const UNHEALTHY_THRESHOLD = 500;
const ORDER_BY = 'rank, hostname, gpu_id';
const COLUMNS = `g.gpu_id, g.hostname, g.list_item, g.last_seen, ${healthSql('g')} AS health, ${urgencySql('g')} AS rank`;

/**
 * Returns an object with a value for each range of `workspaceRangeOf`: listed workspaces are read by `gpus_by_workspace`.
 *
 * @param valueOf receives the predicate of the GPUs `g` in scope
 */
function byWorkspaceRange<Value>(valueOf: (rows: string) => Value): Record<'customer' | 'workspaces', Value> {
  const customer = 'g.customer_id = :customer AND (:apiKey::integer IS NULL OR g.api_key_id = :apiKey)';
  return {
    customer: valueOf(customer),
    workspaces: valueOf(`${customer} AND g.workspace_id = ANY (:workspaces::integer[])`),
  };
}

/** Returns the columns of the state that a list depends on in addition to its query. */
const stateSql = (rows: string) =>
  `${DATA_VERSION} AS data_version, ${healthChangedSql(rows)} AS health_changed`;

/** Returns a common table expression of GPUs, numbered as `line` in the order of urgency (`urgencySql`), hostname and gpu_id. */
const listedSql = (gpus: string, limit: string) => `listed AS (
      SELECT p.gpu_id, p.hostname, p.rank, p.list_item, p.last_seen, p.health, row_number() OVER (ORDER BY ${ORDER_BY}) AS line
      FROM (${gpus}) AS p ORDER BY ${ORDER_BY} ${limit}
    )`;

const LIMIT = 'LIMIT :limit::integer';

/**
 * Returns the common table expression `listed` of the first GPUs, and those that it depends on. Most GPUs are healthy, so unhealthy
 * ones are read by the indexes on their health, and healthy ones follow in the order of `gpus_by_hostname`. All GPUs are read and
 * sorted only where many are unhealthy.
 */
function firstGpusSql(rows: string): string {
  const gpus = (condition: string) => `SELECT ${COLUMNS} FROM fleet.gpus g WHERE ${rows} AND ${condition}`;
  const unhealthy = unhealthyRangesSql('g').map(
    ({ column, predicate }) => `${gpus(predicate)} ORDER BY ${column} LIMIT ${UNHEALTHY_THRESHOLD + 1}`,
  );
  const fewUnhealthySql = '(SELECT c.few FROM counted c)';
  const candidates = [
    `SELECT u.* FROM unhealthy u WHERE ${fewUnhealthySql}`,
    `${gpus(`${fewUnhealthySql} AND ${isHealthySql('g')}`)} ORDER BY g.hostname, g.gpu_id ${LIMIT}`,
    `${gpus(`NOT ${fewUnhealthySql}`)} ORDER BY ${ORDER_BY} ${LIMIT}`,
  ];
  return `unhealthy AS MATERIALIZED (
      ${unionAll(unhealthy)}
    ), counted AS MATERIALIZED (SELECT count(*) <= ${UNHEALTHY_THRESHOLD} AS few FROM unhealthy
    ), ${listedSql(unionAll(candidates), LIMIT)}`;
}

export interface RowParameters extends WindowParameters {
  /** Rows per value of the result. */
  rowsPerChunk: number;
}

/**
 * Returns the common table expression `chunks` of the JSON rows of the GPUs in `listed`, and those that it depends on. `list_item` is
 * the start of a row.
 *
 * A generic plan expects few GPUs and would join the XID incidents of all of them in nested loops. So `xids` is one object by GPU,
 * and IS TRUE makes its condition a hashed subquery in place of a join.
 */
function chunksSql(series: Series): string {
  const seriesColumn =
    series === 'none' ? '' : `',"utilization_series":[' || coalesce(t.utilization_series, '') || ']' ||`;
  return `xids AS MATERIALIZED (
      SELECT coalesce(jsonb_object_agg(x.gpu_id, x.n), '{}') AS counts FROM (
        SELECT e.gpu_id, count(*) AS n FROM fleet.gpu_xid_events e
        WHERE e.customer_id = :customer AND (e.gpu_id IN (SELECT l.gpu_id FROM listed l)) IS TRUE
          AND e.opens_incident AND e.at >= :from::timestamptz AND e.at < :to::timestamptz
        GROUP BY e.gpu_id
      ) AS x
    ), rendered AS MATERIALIZED (
      SELECT g.line, g.list_item || ',"health":"' || g.health || '","utilization_pct":' || coalesce(t.utilization_pct, 'null')
        || ',"temperature_c":' || coalesce(t.temperature_c, 'null')
        || ',"xid_errors":' || coalesce(x.counts ->> g.gpu_id, CASE WHEN t.xid_reported THEN '0' ELSE 'null' END)
        || ${seriesColumn} ',"last_seen":"' || ${timestampSql('g.last_seen')} || '"}' AS row
      FROM listed g
      LEFT JOIN LATERAL (${TELEMETRY[series]}) AS t ON true
      CROSS JOIN xids AS x
    ), chunks AS (
      SELECT min(r.line) AS first_line, string_agg(r.row, ',' ORDER BY r.line) AS rows
      FROM rendered r GROUP BY (r.line - 1) / :rowsPerChunk::integer
    )`;
}

/** Returns the columns of the state, and the GPUs of `listed` as an array of `RankedGpu`. */
const rankedSql = (rows: string) => `SELECT ${stateSql(rows)}, (
    SELECT coalesce(json_agg(json_build_array(:customer::integer, l.gpu_id, l.health, l.rank, l.hostname) ORDER BY l.line), '[]')
    FROM listed l) AS ranked`;

export const FLEET_STATE = byWorkspaceRange((rows) => new TenantStatement(`SELECT ${stateSql(rows)}`));

/** The first GPUs, without their rows. */
export const RANKED_FIRST = byWorkspaceRange(
  (rows) => new TenantStatement<{ limit: number }>(`WITH ${firstGpusSql(rows)} ${rankedSql(rows)}`),
);
/** All GPUs, without their rows. */
export const RANKED_ALL = byWorkspaceRange((rows) => {
  const all = listedSql(`SELECT ${COLUMNS} FROM fleet.gpus g WHERE ${rows}`, '');
  return new TenantStatement(`WITH ${all} ${rankedSql(rows)}`);
});

/** Returns a statement for each kind of series. Wide series are rare, so their statements are not prepared. */
const bySeries = <Parameters extends object>(sqlOf: (series: Series) => string) =>
  Object.fromEntries(
    SERIES.map((series) => [
      series,
      new TenantStatement<Parameters>(sqlOf(series), { isPrepared: series !== 'wide' }),
    ]),
  ) as Record<Series, TenantStatement<Parameters>>;

/** The rows of the first GPUs, in the order of `RANKED_FIRST`; their telemetry by primary key. */
export const FIRST_ROWS = byWorkspaceRange((rows) =>
  bySeries<RowParameters & { limit: number }>(
    (series) => `WITH ${firstGpusSql(rows)}, ${chunksSql(series)}
    SELECT p.rows, state.data_version, state.health_changed
    FROM (SELECT ${stateSql(rows)}) AS state LEFT JOIN chunks p ON true ORDER BY p.first_line`,
  ),
);

/** GPUs whose rows are read. The n-th elements belong to one GPU. */
interface ListedGpus {
  gpuIds: string[];
  healths: string[];
  /** Positions in the list, from 1. */
  lines: number[];
}

/** The rows of listed GPUs by primary keys, with the health that they were ranked by. */
export const ROWS = bySeries<RowParameters & ListedGpus>(
  (series) => `WITH listed AS (
      SELECT g.gpu_id, g.list_item, g.last_seen, p.health, p.line
      FROM unnest(:gpuIds::text[], :healths::text[], :lines::integer[]) AS p (gpu_id, health, line)
      JOIN fleet.gpus g ON g.gpu_id = p.gpu_id WHERE ${inScopeSql('g')}
    ), ${chunksSql(series)}
    SELECT p.first_line, p.rows FROM chunks p ORDER BY p.first_line`,
);
