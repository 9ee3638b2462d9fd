import { Injectable } from '@nestjs/common';
import type { Access, GpuHealth } from '@gpu-observatory/domain-types';
import { telemetrySql } from '../../model/gpu-days/read-telemetry.sql.ts';
import { healthChangedSql } from '../../model/health/health.sql.ts';
import type { ScopeFilter } from '../access/access-scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import {
  type DataVersion,
  type DataVersionRow,
  dataVersionsSql,
  toDataVersion,
} from '../data-version/data-version.ts';
import { listedSql } from './gpu-order.sql.ts';
import type { TelemetryWindow } from './telemetry-window.ts';

/** A GPU of the list, with its health when the order was read. */
export type RankedGpu = [customerId: number, gpuId: string, health: GpuHealth];

/** A ranked GPU with the remaining sort key, for the merge of several lists. */
type SortedGpu = [...gpu: RankedGpu, rank: number, hostname: string];

/** State that a list depends on, in addition to its query. */
export interface FleetState {
  data: DataVersion;
  /** The last time that the clock changed the health of a GPU in scope, in ms since the epoch; null if never. */
  healthChangedMs: number | null;
}

interface StateRow {
  data_versions: DataVersionRow[];
  health_changed: Date | null;
}

/** Columns of a row that depend on the query. */
export interface TelemetryColumns {
  window: TelemetryWindow;
  /** Whether rows include `utilization_series`. */
  series: boolean;
}

/** Rows per value of the result. Values that fit into one read of the socket (64 KiB) cost less than longer ones. */
const ROWS_PER_CHUNK = 32;

/** Reads the list of GPUs. */
@Injectable()
export class GpusQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Reads only the state that the validators of a list depend on. */
  async state(access: Access, filter: ScopeFilter): Promise<FleetState> {
    return toState(
      await this.eachCustomer<StateRow>(access, filter, (statement) => `SELECT ${stateSql(statement)}`),
    );
  }

  /**
   * Reads a list of at most `limit` rows in one statement, in the order of `ranked`. Where customers are on different nodes,
   * the order is read first, then the rows of each customer.
   *
   * @returns rows as JSON, in chunks of several rows separated by commas
   */
  async page(
    access: Access,
    filter: ScopeFilter,
    limit: number,
    columns: TelemetryColumns,
  ): Promise<FleetState & { rows: string[] }> {
    if (this.tenants.statementAccesses(access, filter).length > 1) {
      const { ranked, ...state } = await this.ranked(access, filter, limit);
      return { ...state, rows: await this.rows(access, filter, ranked, columns) };
    }
    const rows = await this.tenants.query<StateRow & { rows: string | null }>(
      access,
      (statement) => `WITH ${listedSql(statement, limit)}, ${chunksSql(statement, columns)}
        SELECT p.rows, state.data_versions, state.health_changed
        FROM (SELECT ${stateSql(statement)}) AS state LEFT JOIN chunks p ON true ORDER BY p.first_line`,
      { filter },
    );
    return { ...toState(rows.slice(0, 1)), rows: rows.flatMap((row) => row.rows ?? []) };
  }

  /**
   * Reads the ids of GPUs, sorted by urgency, hostname and gpu_id.
   *
   * @param limit maximum number of GPUs; null for all
   */
  async ranked(
    access: Access,
    filter: ScopeFilter,
    limit: number | null,
  ): Promise<FleetState & { ranked: RankedGpu[] }> {
    const isSplit = this.tenants.statementAccesses(access, filter).length > 1;
    const sortKey = isSplit ? ', l.rank, l.hostname' : '';
    const lists = await this.eachCustomer<StateRow & { ranked: (RankedGpu | SortedGpu)[] }>(
      access,
      filter,
      (statement) => `WITH ${listedSql(statement, limit)}
        SELECT ${stateSql(statement)},
          (SELECT coalesce(json_agg(json_build_array(l.customer_id, l.gpu_id, l.health${sortKey}) ORDER BY l.line), '[]')
           FROM listed l) AS ranked`,
    );
    const ranked = lists.flatMap((list) => list.ranked);
    return {
      ...toState(lists),
      ranked: isSplit ? merged(ranked as SortedGpu[], limit) : (ranked as RankedGpu[]),
    };
  }

  /** Reads the rows of these GPUs in their order, with the health that they were ranked by. */
  async rows(
    access: Access,
    filter: ScopeFilter,
    ranked: readonly RankedGpu[],
    columns: TelemetryColumns,
  ): Promise<string[]> {
    const accesses = this.tenants.statementAccesses(access, filter);
    const rowsPerChunk = accesses.length > 1 ? 1 : ROWS_PER_CHUNK;
    const lines = ranked.map((gpu, line) => [line, gpu] as const);
    const chunks = await Promise.all(
      accesses.map((one) => {
        const isListed = customerFilter(accesses, one);
        const own = lines.filter(([, [customerId]]) => isListed(customerId));
        return this.chunksOf(one, filter, own, { columns, rowsPerChunk });
      }),
    );
    return chunks
      .flat()
      .sort((a, b) => a.line - b.line)
      .map((chunk) => chunk.rows);
  }

  private async chunksOf(
    access: Access,
    filter: ScopeFilter,
    lines: readonly (readonly [line: number, gpu: RankedGpu])[],
    { columns, rowsPerChunk }: { columns: TelemetryColumns; rowsPerChunk: number },
  ): Promise<{ line: number; rows: string }[]> {
    if (lines.length === 0) return [];
    const chunks = await this.tenants.query<{ first_line: number; rows: string }>(
      access,
      (statement) => {
        const [customers, ids, healths] = [0, 1, 2].map((column) =>
          statement.value(lines.map(([, gpu]) => gpu[column])),
        );
        return `WITH listed AS (
            SELECT g.customer_id, g.gpu_id, g.list_item, g.last_seen, p.health, p.line
            FROM unnest(${customers}::integer[], ${ids}::text[], ${healths}::text[])
              WITH ORDINALITY AS p (customer_id, gpu_id, health, line)
            JOIN fleet.gpus g ON g.customer_id = p.customer_id AND g.gpu_id = p.gpu_id
            WHERE ${statement.rows('g')}
          ), ${chunksSql(statement, columns, rowsPerChunk)}
          SELECT p.first_line, p.rows FROM chunks p ORDER BY p.first_line`;
      },
      { filter },
    );
    return chunks.map(({ first_line, rows }) => ({ line: lines[first_line - 1]?.[0] ?? 0, rows }));
  }

  /** Runs a statement on all customers or, where they are on different nodes, once per customer. */
  private async eachCustomer<Row extends object>(
    access: Access,
    filter: ScopeFilter,
    build: (statement: ScopedStatement) => string,
  ): Promise<Row[]> {
    const accesses = this.tenants.statementAccesses(access, filter);
    return (await Promise.all(accesses.map((one) => this.tenants.query<Row>(one, build, { filter })))).flat();
  }
}

/** Merges the lists of customers in the order of `listedSql`. */
function merged(gpus: readonly SortedGpu[], limit: number | null): RankedGpu[] {
  const sorted = gpus.toSorted(
    ([aCustomer, aId, , aRank, aHost], [bCustomer, bId, , bRank, bHost]) =>
      aRank - bRank || byCodePoint(aHost, bHost) || byCodePoint(aId, bId) || aCustomer - bCustomer,
  );
  return sorted
    .slice(0, limit ?? undefined)
    .map(([customerId, gpuId, health]) => [customerId, gpuId, health]);
}

/** Compares as the collation "C" does; `<` compares UTF-16 units. */
function byCodePoint(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Returns which customers a statement reads: all if it is the only one. */
function customerFilter(accesses: readonly Access[], access: Access): (customerId: number) => boolean {
  if (accesses.length === 1) return () => true;
  return (customerId) => access.some((entry) => entry.customer_id === customerId);
}

function stateSql(statement: ScopedStatement): string {
  return `(${dataVersionsSql(statement)}) AS data_versions, ${healthChangedSql(() => statement.rows('g'))} AS health_changed`;
}

/** Returns common table expressions up to `chunks`: the JSON rows of the GPUs in `listed`. */
function chunksSql(
  statement: ScopedStatement,
  { window, series }: TelemetryColumns,
  rowsPerChunk = ROWS_PER_CHUNK,
): string {
  const seriesColumn = series ? `',"utilization_series":[', t.utilization_series, ']',` : '';
  return `rendered AS MATERIALIZED (
      SELECT g.line, concat(g.list_item, ',"health":"', g.health, '","utilization_pct":', coalesce(t.utilization_pct, 'null'),
        ',"temperature_c":', coalesce(t.temperature_c, 'null'),
        ',"xid_errors":', CASE WHEN t.xid_reported OR x.n > 0 THEN coalesce(x.n, 0)::text ELSE 'null' END,
        ${seriesColumn} ',"last_seen":"', to_char(g.last_seen AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"}') AS row
      FROM listed g
      LEFT JOIN LATERAL (${telemetrySql(statement, window, series)}) AS t ON true
      LEFT JOIN (${xidCountsSql(statement, window)}) AS x ON x.customer_id = g.customer_id AND x.gpu_id = g.gpu_id
    ), chunks AS (
      SELECT min(r.line) AS first_line, string_agg(r.row, ',' ORDER BY r.line) AS rows
      FROM rendered r GROUP BY (r.line - 1) / ${rowsPerChunk}
    )`;
}

/** @param rows empty when the caller's access is empty; one per statement */
function toState(rows: readonly StateRow[]): FleetState {
  const dataVersions = rows.flatMap((row) => row.data_versions).sort(([a], [b]) => a - b);
  const changes = rows.flatMap((row) => row.health_changed?.getTime() ?? []);
  return {
    data: toDataVersion(dataVersions),
    healthChangedMs: changes.length === 0 ? null : Math.max(...changes),
  };
}

function xidCountsSql(statement: ScopedStatement, window: TelemetryWindow): string {
  return `SELECT e.customer_id, e.gpu_id, count(*)::integer AS n FROM fleet.gpu_xid_events e
    WHERE ${statement.customers('e')}
      AND e.opens_incident AND e.at >= ${statement.value(new Date(window.fromMs))} AND e.at < ${statement.value(new Date(window.toMs))}
    GROUP BY e.customer_id, e.gpu_id`;
}
