import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import type { ScopeFilter } from '../access/access-scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import { countedSql } from '../alerts/counts/alert-counts.sql.ts';
import {
  ALL_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
  dataVersionsSql,
} from '../data-version/data-version.ts';
import { healthyAgainSql, unhealthySinceLastSignalSql } from '../../model/health/health.sql.ts';
import { epochMsSql } from '../../model/epoch-ms.sql.ts';
import { EDGE, ENTITY_KINDS } from '../../model/metrics/measures.ts';
import { GRAIN } from '../../model/metrics/time-grains.ts';
import { daySumsSql } from './day-sums.ts';
import type { MetricsWindow } from './metrics-window.ts';
import { hasOneRowPerBucket, rollupRowsOf } from './rollup-rows.sql.ts';

/** Day of the window, from 0. */
type DayNumber = number;
/** The number of entities of a kind with an edge before the window, and on its days. A day may occur twice. */
export type EntityRow = [kind: number, edge: number, before: number, days: DayNumber[], n: number[]];
/** The number of GPUs that went missing in a day or hour, and the sum of their offsets from its start. */
export type MissingRow = [grain: number, bucketMs: number, n: number, offsetMs: number];

/** The inputs of the metrics, from one snapshot per customer. */
export interface MetricRows {
  /** The sums of each day, for `DaySums`. */
  days: (string | null)[];
  entities: EntityRow[];
  missing: MissingRow[];
  /** The most frequent alert types, at most three. */
  types: [type: string, n: number][];
  crashChains: number;
  data: DataVersion;
}

interface MetricsRow {
  days: string | null;
  entities: EntityRow[];
  missing: MissingRow[];
  types: [string, number][];
  /** When the GPUs in crash chains are healthy again, in ms since the epoch; null if only a report ends it. */
  crash_chains: (number | null)[];
  data_versions: DataVersionRow[];
}

/** Reads rollups only, so that the cost depends on the number of days, not of samples or GPUs. */
@Injectable()
export class MetricsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async read(access: Access, filter: ScopeFilter, window: MetricsWindow): Promise<MetricRows> {
    const parts = await this.tenants.query<MetricsRow>(
      access,
      (statement) => {
        const bounds: Bounds = {
          from: `${statement.value(new Date(window.fromMs))}::timestamptz`,
          to: `${statement.value(new Date(window.toMs))}::timestamptz`,
        };
        return `SELECT (${daysSql(statement, bounds)}) AS days, (${entitiesSql(statement, bounds)}) AS entities,
          (${missingSql(statement, bounds)}) AS missing, (${typesSql(statement, filter, window)}) AS types,
          (${crashChainsSql(statement, bounds)}) AS crash_chains, (${dataVersionsSql(statement)}) AS data_versions`;
      },
      { filter },
    );
    return merged(parts);
  }
}

const MOST_FREQUENT_TYPES = 3;

/** Merges the rows of one statement per customer, or of one on all. There are none when the caller's access is empty. */
function merged(parts: readonly MetricsRow[]): MetricRows {
  const data = dataVersionOf(parts, ALL_DATA);
  const asOfMs = data.asOfMs ?? 0;
  const isInChain = (healthyAtMs: number | null) => healthyAtMs === null || healthyAtMs > asOfMs;
  return {
    days: parts.map(({ days }) => days),
    entities: parts.flatMap(({ entities }) => entities),
    missing: parts.flatMap(({ missing }) => missing),
    types: sumOfTypes(parts.flatMap(({ types }) => types)).slice(0, MOST_FREQUENT_TYPES),
    crashChains: parts.flatMap((part) => part.crash_chains).filter(isInChain).length,
    data,
  };
}

/** Adds up the counts of each type, the most frequent first. */
function sumOfTypes(types: readonly [type: string, n: number][]): [type: string, n: number][] {
  const sums = new Map<string, number>();
  for (const [type, n] of types) sums.set(type, (sums.get(type) ?? 0) + n);
  return [...sums].sort(([aType, a], [bType, b]) => b - a || (aType < bType ? -1 : 1));
}

interface Bounds {
  from: string;
  to: string;
}

/** Returns the union of one index range per scope. */
function unionOfScopes(statement: ScopedStatement, select: (rows: string) => string, alias: string): string {
  return statement.scopes.map((scope) => select(rollupRowsOf(statement, scope, alias))).join(' UNION ALL ');
}

function daysSql(statement: ScopedStatement, { from, to }: Bounds): string {
  const rowsOf = (columns: string) =>
    unionOfScopes(
      statement,
      (scope) =>
        `SELECT d.day, ${columns} FROM fleet.metric_days d WHERE ${scope} AND d.day >= ${from} AND d.day < ${to}`,
      'd',
    );
  const { scopes } = statement;
  const hasOneRowPerDay = scopes.length === 1 && scopes.every(hasOneRowPerBucket);
  return daySumsSql(rowsOf, dayNumber('d.day', from), hasOneRowPerDay);
}

/** Reads whole months up to the month in which the window starts, then days. */
function entitiesSql(statement: ScopedStatement, { from, to }: Bounds): string {
  const month = `date_trunc('month', ${from}, 'UTC')`;
  const rows = unionOfScopes(
    statement,
    (scope) => {
      const edges = `c.edge IN (${EDGE.first}, ${EDGE.last})`;
      return `SELECT c.kind, c.edge, c.bucket, c.n FROM fleet.entity_counts c
        WHERE ${scope} AND ${edges} AND c.grain = ${GRAIN.month} AND c.bucket < ${month} AND c.n <> 0
        UNION ALL
        SELECT c.kind, c.edge, c.bucket, c.n FROM fleet.entity_counts c
        WHERE ${scope} AND ${edges} AND c.grain = ${GRAIN.day} AND c.bucket >= ${month} AND c.bucket < ${to} AND c.n <> 0`;
    },
    'c',
  );
  const within = `c.bucket >= ${from}`;
  return `SELECT coalesce(json_agg(json_build_array(t.kind, t.edge, t.before, t.days, t.n)), '[]')
    FROM (SELECT c.kind, c.edge, coalesce(sum(c.n) FILTER (WHERE NOT ${within}), 0) AS before,
            coalesce(array_agg(${dayNumber('c.bucket', from)}) FILTER (WHERE ${within}), '{}') AS days,
            coalesce(array_agg(c.n) FILTER (WHERE ${within}), '{}') AS n
          FROM (${rows}) AS c GROUP BY c.kind, c.edge) AS t`;
}

/** Reads days, and the hours since the start of the day in which the window or the customers' data end. */
function missingSql(statement: ScopedStatement, { from, to }: Bounds): string {
  const lastDay = `(SELECT date_trunc('day', least(max(p.imported_at), ${to}), 'UTC')
    FROM fleet.data_versions p WHERE ${statement.customer('p')})`;
  const rows = unionOfScopes(
    statement,
    (scope) => {
      const wentMissing = `c.edge = ${EDGE.missing} AND c.kind = ${ENTITY_KINDS.indexOf('gpu')} AND c.n <> 0`;
      return `SELECT c.grain, c.bucket, c.n, c.offset_ms FROM fleet.entity_counts c
        WHERE ${scope} AND ${wentMissing} AND c.grain = ${GRAIN.day} AND c.bucket >= ${from} AND c.bucket < ${to}
        UNION ALL
        SELECT c.grain, c.bucket, c.n, c.offset_ms FROM fleet.entity_counts c
        WHERE ${scope} AND ${wentMissing} AND c.grain = ${GRAIN.hour} AND c.bucket >= ${lastDay} AND c.bucket >= ${from} AND c.bucket < ${to}`;
    },
    'c',
  );
  return `SELECT coalesce(json_agg(json_build_array(m.grain, ${epochMsSql('m.bucket')}, m.n, m.offset_ms)), '[]')
    FROM (${rows}) AS m`;
}

/** Counts the alerts by type. */
function typesSql(statement: ScopedStatement, scope: ScopeFilter, window: MetricsWindow): string {
  const selection = {
    scope,
    window: { ...window, hasFrom: true, hasTo: true },
    severity: null,
    type: null,
    state: null,
    texts: [],
  };
  return `SELECT coalesce(json_agg(json_build_array(t.type, t.n)), '[]')
    FROM (SELECT counted.type, sum(counted.n)::bigint AS n FROM (${countedSql(statement, selection, { by: ['type'] })}) AS counted
          GROUP BY counted.type HAVING sum(counted.n) > 0) AS t`;
}

/** Reads the crash chains whose GPU has not been healthy since, as of the newest import of the statement's customers. */
function crashChainsSql(statement: ScopedStatement, { from, to }: Bounds): string {
  return `SELECT coalesce(json_agg(${epochMsSql(healthyAgainSql('g'))}), '[]') FROM fleet.gpus g,
      (SELECT max(p.imported_at) AS at FROM fleet.data_versions p WHERE ${statement.customer('p')}) AS clock
    WHERE ${statement.rows('g')} AND g.crash_chain_at >= ${from} AND g.crash_chain_at < ${to}
      AND ${unhealthySinceLastSignalSql('g', 'clock.at')}`;
}

/** Both arguments are midnights in UTC. */
function dayNumber(day: string, from: string): string {
  return `(${day} AT TIME ZONE 'UTC')::date - (${from} AT TIME ZONE 'UTC')::date`;
}
