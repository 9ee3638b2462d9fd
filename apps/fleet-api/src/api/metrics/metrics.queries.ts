import { Injectable } from '@nestjs/common';
import { type Access, SEVERITIES } from '@gpu-observatory/domain-types';
import type { ScopeFilter } from '../access/access-scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import { countedSql } from '../alerts/counts/alert-counts.sql.ts';
import {
  type DataVersion,
  dataVersionOf,
  type PositionRow,
  positionsSql,
} from '../data-version/data-version.ts';
import { unhealthySinceLastSignalSql } from '../../model/health/health.sql.ts';
import { EDGE, ENTITY_KINDS, MEANS, TOTALS } from '../../model/metrics/measures.ts';
import { GRAIN } from '../../model/metrics/time-grains.ts';
import type { MetricsWindow } from './metrics-window.ts';

/** Days are numbered from the window's first. */
export type DayNumber = number;
/** The days that there is anything of, and what they add up to, `DAY_COLUMNS` in their order. */
export type DayColumns = [days: DayNumber[], ...sums: number[][]];
/** How many things of a kind (its number) have an edge before the window, and in which days of it; a day may come twice. */
export type ThingRow = [kind: number, edge: number, before: number, days: DayNumber[], n: number[]];
/** How many GPUs of a scope fell silent in a day or hour, and by how much after its begin in all. */
export type SilenceRow = [grain: number, bucketMs: number, n: number, offsetMs: number];

/** Everything that metrics are made of, of one moment. */
export interface MetricRows {
  days: DayColumns;
  things: ThingRow[];
  silences: SilenceRow[];
  /** The most frequent alert types, at most three. */
  types: [type: string, n: number][];
  crashChains: number;
  data: DataVersion;
}

export const DAY_COLUMNS: readonly string[] = [
  ...MEANS.flatMap((mean) => [`${mean}_sum`, `${mean}_n`]),
  'health_score_ms',
  'health_ms',
  ...TOTALS,
  ...SEVERITIES.map((severity) => `alerts_${severity}`),
];

interface MetricsRow {
  days: DayColumns;
  things: ThingRow[];
  silences: SilenceRow[];
  types: [string, number][];
  crash_chains: number;
  positions: PositionRow[];
}

/** Reads what metrics are made of: rollups alone, so that a window costs as many rows as it has days. */
@Injectable()
export class MetricsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async read(access: Access, filter: ScopeFilter, window: MetricsWindow): Promise<MetricRows> {
    const [row] = await this.tenants.query<MetricsRow>(
      access,
      (statement) => {
        const bounds: Bounds = {
          from: `${statement.value(new Date(window.fromMs))}::timestamptz`,
          to: `${statement.value(new Date(window.toMs))}::timestamptz`,
        };
        return `SELECT (${daysSql(statement, bounds)}) AS days, (${thingsSql(statement, bounds)}) AS things,
          (${silencesSql(statement, bounds)}) AS silences, (${typesSql(statement, filter, window)}) AS types,
          (${crashChainsSql(statement, bounds)}) AS crash_chains, (${positionsSql(statement)}) AS positions`;
      },
      { filter },
    );
    // Without a row the caller may see nothing.
    if (row === undefined)
      return { days: [[]], things: [], silences: [], types: [], crashChains: 0, data: dataVersionOf([]) };
    const { days, things, silences, types, crash_chains: crashChains, positions } = row;
    return { days, things, silences, types, crashChains, data: dataVersionOf(positions) };
  }
}

interface Bounds {
  from: string;
  to: string;
}

/** One range of an index for each branch. */
function ofBranches(statement: ScopedStatement, select: (rows: string) => string, alias: string): string {
  return statement.branches.map((branch) => select(statement.rollups(branch, alias))).join(' UNION ALL ');
}

/** Arrays of columns: a JSON array of each day would cost more than all reading does. */
function daysSql(statement: ScopedStatement, { from, to }: Bounds): string {
  const columns = DAY_COLUMNS.map((column) => `d.${column}::float8`).join(', ');
  const rows = ofBranches(
    statement,
    (scope) =>
      `SELECT d.day, ${columns} FROM fleet.metric_days d WHERE ${scope} AND d.day >= ${from} AND d.day < ${to}`,
    'd',
  );
  const arrays = DAY_COLUMNS.map((column) => `coalesce(array_agg(day.${column} ORDER BY day.day), '{}')`);
  return `SELECT json_build_array(coalesce(array_agg(${dayNumber('day.day', from)} ORDER BY day.day), '{}'), ${arrays.join(', ')})
    FROM (SELECT d.day, ${DAY_COLUMNS.map((column) => `sum(d.${column}) AS ${column}`).join(', ')}
          FROM (${rows}) AS d GROUP BY d.day) AS day`;
}

/** Months before the month in which the window begins, then days. */
function thingsSql(statement: ScopedStatement, { from, to }: Bounds): string {
  const month = `date_trunc('month', ${from}, 'UTC')`;
  const rows = ofBranches(
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

/** By days, and by hours in the day in which the window or the data end. */
function silencesSql(statement: ScopedStatement, { from, to }: Bounds): string {
  const lastDay = `(SELECT date_trunc('day', least(max(p.imported_at), ${to}), 'UTC')
    FROM fleet.data_versions p WHERE ${statement.customers('p')})`;
  const rows = ofBranches(
    statement,
    (scope) => {
      const silent = `c.edge = ${EDGE.missing} AND c.kind = ${ENTITY_KINDS.indexOf('gpu')} AND c.n <> 0`;
      return `SELECT c.grain, c.bucket, c.n, c.offset_ms FROM fleet.entity_counts c
        WHERE ${scope} AND ${silent} AND c.grain = ${GRAIN.day} AND c.bucket >= ${from} AND c.bucket < ${to}
        UNION ALL
        SELECT c.grain, c.bucket, c.n, c.offset_ms FROM fleet.entity_counts c
        WHERE ${scope} AND ${silent} AND c.grain = ${GRAIN.hour} AND c.bucket >= ${lastDay} AND c.bucket >= ${from} AND c.bucket < ${to}`;
    },
    'c',
  );
  return `SELECT coalesce(json_agg(json_build_array(s.grain, ${epochMs('s.bucket')}, s.n, s.offset_ms)), '[]')
    FROM (${rows}) AS s`;
}

function typesSql(statement: ScopedStatement, scope: ScopeFilter, window: MetricsWindow): string {
  const selection = {
    scope,
    window: { ...window, fromGiven: true, toGiven: true },
    severity: null,
    type: null,
    state: null,
    texts: [],
  };
  return `SELECT coalesce(json_agg(json_build_array(t.type, t.n) ORDER BY t.n DESC, t.type), '[]')
    FROM (SELECT counted.type, sum(counted.n)::bigint AS n FROM (${countedSql(statement, selection)}) AS counted
          GROUP BY counted.type HAVING sum(counted.n) > 0 ORDER BY n DESC, counted.type LIMIT 3) AS t`;
}

/** Counts the crash chains whose GPU has not been healthy since, as of the newest import. */
function crashChainsSql(statement: ScopedStatement, { from, to }: Bounds): string {
  return `SELECT count(*)::integer FROM fleet.gpus g,
      (SELECT max(p.imported_at) AS at FROM fleet.data_versions p WHERE ${statement.customers('p')}) AS clock
    WHERE ${statement.rows('g')} AND g.crash_chain_at >= ${from} AND g.crash_chain_at < ${to}
      AND ${unhealthySinceLastSignalSql('g', 'clock.at')}`;
}

/** Both are midnights in UTC. */
function dayNumber(day: string, from: string): string {
  return `(${day} AT TIME ZONE 'UTC')::date - (${from} AT TIME ZONE 'UTC')::date`;
}

function epochMs(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::bigint`;
}
