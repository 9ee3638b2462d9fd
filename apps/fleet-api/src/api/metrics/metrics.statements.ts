import { epochMsSql } from '../../model/epoch-ms.sql.ts';
import { healthyAgainSql, unhealthySinceLastSignalSql } from '../../model/health/health.sql.ts';
import { EDGE, ENTITY_KINDS } from '../../model/metrics/counted-entities.ts';
import { ROLLUP_SCOPE } from '../../model/metrics/rollup-scope.ts';
import { GRAIN } from '../../model/metrics/time-grains.ts';
import type { AccessScope } from '../access/access-scope.ts';
import { inScope, type Range, TenantStatement } from '../access/tenant-statement.ts';
import { countedSql, type CountStatementParameters } from '../alerts/counts/alert-counts.statements.ts';
import { DATA_VERSION } from '../data-version/data-version.ts';
import { DAY_COLUMNS, DAY_SUMS } from './day-sums.ts';

/** Rows of the rollups that add up to a scope: those of the customer, of its listed workspaces, or of an API key, in all workspaces or in some. */
type RollupRows = Range | 'keyInWorkspaces';

export interface MetricsParameters extends CountStatementParameters {
  rollupKind: number;
  /** 0 where the rows are of all keys. */
  rollupKey: number;
  /** 0 where the rows are of a customer, or have no workspace. */
  rollupWorkspaces: number[];
}

type RollupParameters = Pick<MetricsParameters, 'rollupKind' | 'rollupKey' | 'rollupWorkspaces'>;

export function rollupParameters({ workspaceIds, apiKeyId }: AccessScope): RollupParameters {
  const listed = workspaceIds === 'all' ? [0] : workspaceIds.map((id) => id ?? 0);
  if (apiKeyId !== undefined)
    return { rollupKind: ROLLUP_SCOPE.apiKey, rollupKey: apiKeyId, rollupWorkspaces: listed };
  const rollupKind = workspaceIds === 'all' ? ROLLUP_SCOPE.customer : ROLLUP_SCOPE.workspace;
  return { rollupKind, rollupKey: 0, rollupWorkspaces: listed };
}

function rollupRows(rows: RollupRows, alias: string): string {
  const ofScope = `${alias}.customer_id = :customer AND ${alias}.scope_kind = :rollupKind AND ${alias}.api_key_id = :rollupKey`;
  if (rows === 'key') return ofScope;
  return rows === 'customer'
    ? `${ofScope} AND ${alias}.workspace_id = 0`
    : `${ofScope} AND ${alias}.workspace_id = ANY (:rollupWorkspaces::integer[])`;
}

const FROM = ':from::timestamptz';
const TO = ':to::timestamptz';

/** Both arguments are midnights in UTC. */
const dayNumber = (day: string) => `(${day} AT TIME ZONE 'UTC')::date - (${FROM} AT TIME ZONE 'UTC')::date`;

/**
 * Returns the sums of each day. Converting the numbers to text is more than half of the database time of a customer's metrics, so
 * each row stores its text, and a customer has one row per day.
 */
function daysSql(rows: RollupRows): string {
  const rowsOf = (columns: string) =>
    `SELECT d.day, ${columns} FROM fleet.metric_days d WHERE ${rollupRows(rows, 'd')} AND d.day >= ${FROM} AND d.day < ${TO}`;
  const days =
    rows === 'customer'
      ? `SELECT ${dayNumber('d.day')} AS number, d.sums FROM (${rowsOf('d.sums')}) AS d`
      : `SELECT ${dayNumber('d.day')} AS number, ${DAY_SUMS} AS sums FROM (${rowsOf(DAY_COLUMNS)}) AS d GROUP BY d.day`;
  return `SELECT string_agg(day.number || ',' || day.sums, ',') FROM (${days}) AS day`;
}

/** Reads whole months up to the month in which the window starts, then days. */
function entitiesSql(rows: RollupRows): string {
  const month = `date_trunc('month', ${FROM}, 'UTC')`;
  const edges = `c.edge IN (${EDGE.first}, ${EDGE.last})`;
  const isWithin = `c.bucket >= ${FROM}`;
  return `SELECT coalesce(json_agg(json_build_array(t.kind, t.edge, t.before, t.days, t.n)), '[]')
    FROM (SELECT c.kind, c.edge, coalesce(sum(c.n) FILTER (WHERE NOT ${isWithin}), 0) AS before,
            coalesce(array_agg(${dayNumber('c.bucket')}) FILTER (WHERE ${isWithin}), '{}') AS days,
            coalesce(array_agg(c.n) FILTER (WHERE ${isWithin}), '{}') AS n
          FROM (
            SELECT c.kind, c.edge, c.bucket, c.n FROM fleet.entity_counts c
            WHERE ${rollupRows(rows, 'c')} AND ${edges} AND c.grain = ${GRAIN.month} AND c.bucket < ${month} AND c.n <> 0
            UNION ALL
            SELECT c.kind, c.edge, c.bucket, c.n FROM fleet.entity_counts c
            WHERE ${rollupRows(rows, 'c')} AND ${edges} AND c.grain = ${GRAIN.day} AND c.bucket >= ${month} AND c.bucket < ${TO} AND c.n <> 0
          ) AS c GROUP BY c.kind, c.edge) AS t`;
}

/** Reads days, and the hours since the start of the day in which the window or the customer's data end. */
function missingSql(rows: RollupRows): string {
  const lastDay = `(SELECT date_trunc('day', least(max(p.imported_at), ${TO}), 'UTC')
    FROM fleet.data_versions p WHERE p.customer_id = :customer)`;
  const wentMissing = `c.edge = ${EDGE.missing} AND c.kind = ${ENTITY_KINDS.indexOf('gpu')} AND c.n <> 0`;
  return `SELECT coalesce(json_agg(json_build_array(m.grain, ${epochMsSql('m.bucket')}, m.n, m.offset_ms)), '[]')
    FROM (
      SELECT c.grain, c.bucket, c.n, c.offset_ms FROM fleet.entity_counts c
      WHERE ${rollupRows(rows, 'c')} AND ${wentMissing} AND c.grain = ${GRAIN.day} AND c.bucket >= ${FROM} AND c.bucket < ${TO}
      UNION ALL
      SELECT c.grain, c.bucket, c.n, c.offset_ms FROM fleet.entity_counts c
      WHERE ${rollupRows(rows, 'c')} AND ${wentMissing} AND c.grain = ${GRAIN.hour}
        AND c.bucket >= ${lastDay} AND c.bucket >= ${FROM} AND c.bucket < ${TO}
    ) AS m`;
}

/** Counts the alerts by type. */
function typesSql(rows: RollupRows): string {
  const range = rows === 'keyInWorkspaces' ? 'key' : rows;
  return `SELECT coalesce(json_agg(json_build_array(t.type, t.n)), '[]')
    FROM (SELECT counted.type, sum(counted.n)::bigint AS n FROM (${countedSql({ by: ['type'] }, range)}) AS counted
          GROUP BY counted.type HAVING sum(counted.n) > 0) AS t`;
}

/** Reads the crash chains whose GPU has not been healthy since, as of the newest import of the customer: `gpus_in_crash_chains`. */
const CRASH_CHAINS = `SELECT coalesce(json_agg(${epochMsSql(healthyAgainSql('g'))}), '[]') FROM fleet.gpus g,
      (SELECT max(p.imported_at) AS at FROM fleet.data_versions p WHERE p.customer_id = :customer) AS clock
    WHERE ${inScope('g')} AND g.crash_chain_at >= ${FROM} AND g.crash_chain_at < ${TO}
      AND ${unhealthySinceLastSignalSql('g', 'clock.at')}`;

/** Metrics of an API key are rare, so they are not prepared. */
const metrics = (rows: RollupRows) =>
  new TenantStatement<MetricsParameters>(
    `SELECT (${daysSql(rows)}) AS days, (${entitiesSql(rows)}) AS entities,
    (${missingSql(rows)}) AS missing, (${typesSql(rows)}) AS types, (${CRASH_CHAINS}) AS crash_chains, ${DATA_VERSION} AS data_version`,
    { isPrepared: rows === 'customer' || rows === 'workspaces' },
  );

/** The inputs of the metrics, from rollups only: ranges of their primary keys. */
export const METRICS: Record<RollupRows, TenantStatement<MetricsParameters>> = {
  customer: metrics('customer'),
  workspaces: metrics('workspaces'),
  key: metrics('key'),
  keyInWorkspaces: metrics('keyInWorkspaces'),
};

export function rollupRowsOf({ workspaceIds, apiKeyId }: AccessScope): RollupRows {
  if (workspaceIds === 'all') return apiKeyId === undefined ? 'customer' : 'key';
  return apiKeyId === undefined ? 'workspaces' : 'keyInWorkspaces';
}
