import { Injectable } from '@nestjs/common';
import type { Access, GpuHealth } from '@gpu-observatory/domain-types';
import { telemetrySql } from '../../model/gpu-days/read-telemetry.sql.ts';
import { healthChangedSql } from '../../model/health/health.sql.ts';
import { accessScopes, type ScopeFilter } from '../access/access-scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import {
  ALL_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
  dataVersionsSql,
} from '../data-version/data-version.ts';
import { compareCodePoints } from '../paging/code-points.ts';
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
      await this.tenants.query<StateRow>(access, (statement) => `SELECT ${stateSql(statement)}`, { filter }),
    );
  }

  /**
   * Reads a list of at most `limit` rows in one statement, in the order of `ranked`. With one statement per
   * customer, the order is read first, so that only the rows of the page are rendered.
   *
   * @param render builds the response from rows as JSON
   */
  async page(
    access: Access,
    filter: ScopeFilter,
    limit: number,
    columns: TelemetryColumns,
    render: (rows: string[]) => Buffer,
  ): Promise<FleetState & { body: Buffer }> {
    if (accessScopes(access, filter).length > 1) {
      const { ranked, ...state } = await this.ranked(access, filter, limit);
      const rows = await this.rows(access, filter, ranked, columns);
      return { ...state, body: render([rows]) };
    }
    const rows = await this.tenants.query<StateRow & { rows: string | null }>(
      access,
      (statement) => `WITH ${listedSql(statement, limit)}, ${chunksSql(statement, columns)}
        SELECT p.rows, state.data_versions, state.health_changed
        FROM (SELECT ${stateSql(statement)}) AS state LEFT JOIN chunks p ON true ORDER BY p.first_line`,
      { filter },
    );
    return {
      ...toState(rows.slice(0, 1)),
      body: render(rows.flatMap((row) => row.rows ?? [])),
    };
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
    const lists = await this.tenants.query<StateRow & { ranked: (RankedGpu | SortedGpu)[] }>(
      access,
      (statement) => {
        const sortKey = statement.isPart ? ', l.rank, l.hostname' : '';
        return `WITH ${listedSql(statement, limit)}
        SELECT ${stateSql(statement)},
          (SELECT coalesce(json_agg(json_build_array(l.customer_id, l.gpu_id, l.health${sortKey}) ORDER BY l.line), '[]')
           FROM listed l) AS ranked`;
      },
      { filter },
    );
    const ranked = lists.flatMap((list) => list.ranked);
    return {
      ...toState(lists),
      ranked: lists.length > 1 ? merged(ranked as SortedGpu[], limit) : (ranked as RankedGpu[]),
    };
  }

  /** Reads the rows of these GPUs in their order, with the health that they were ranked by. */
  async rows(
    access: Access,
    filter: ScopeFilter,
    ranked: readonly RankedGpu[],
    columns: TelemetryColumns,
  ): Promise<string> {
    const chunks = await this.tenants.query<{ first_line: number; rows: string }>(
      access,
      (statement) => {
        const lines = ranked.map((gpu, line) => [...gpu, line + 1] as const);
        const own = lines.filter(([customerId]) => customerId === statement.scope.customerId);
        if (own.length === 0) return null;
        const [ids, gpus, healths, numbers] = [0, 1, 2, 3].map((column) =>
          statement.value(own.map((line) => line[column])),
        );
        return `WITH listed AS (
            SELECT g.customer_id, g.gpu_id, g.list_item, g.last_seen, p.health, p.line
            FROM unnest(${ids}::integer[], ${gpus}::text[], ${healths}::text[], ${numbers}::integer[])
              AS p (customer_id, gpu_id, health, line)
            JOIN fleet.gpus g ON g.customer_id = p.customer_id AND g.gpu_id = p.gpu_id
            WHERE ${statement.rows('g')}
          ), ${chunksSql(statement, columns, statement.isPart ? 1 : ROWS_PER_CHUNK)}
          SELECT p.first_line, p.rows FROM chunks p ORDER BY p.first_line`;
      },
      { filter },
    );
    return chunks
      .toSorted((a, b) => a.first_line - b.first_line)
      .map(({ rows }) => rows)
      .join(',');
  }
}

/** Merges the lists of customers in the order of `listedSql`. */
function merged(gpus: readonly SortedGpu[], limit: number | null): RankedGpu[] {
  const sorted = gpus.toSorted(
    ([aCustomer, aId, , aRank, aHost], [bCustomer, bId, , bRank, bHost]) =>
      aRank - bRank ||
      compareCodePoints(aHost, bHost) ||
      compareCodePoints(aId, bId) ||
      aCustomer - bCustomer,
  );
  return sorted
    .slice(0, limit ?? undefined)
    .map(([customerId, gpuId, health]) => [customerId, gpuId, health]);
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
  const seriesColumn = series
    ? `',"utilization_series":[' || coalesce(t.utilization_series, '') || ']' ||`
    : '';
  return `rendered AS MATERIALIZED (
      SELECT g.line, g.list_item || ',"health":"' || g.health || '","utilization_pct":' || coalesce(t.utilization_pct, 'null')
        || ',"temperature_c":' || coalesce(t.temperature_c, 'null')
        || ',"xid_errors":' || CASE WHEN t.xid_reported OR x.n > 0 THEN coalesce(x.n, 0)::text ELSE 'null' END
        || ${seriesColumn} ',"last_seen":"' || to_char(g.last_seen AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}' AS row
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
  const changes = rows.flatMap((row) => row.health_changed?.getTime() ?? []);
  return {
    data: dataVersionOf(rows, ALL_DATA),
    healthChangedMs: changes.length === 0 ? null : Math.max(...changes),
  };
}

function xidCountsSql(statement: ScopedStatement, window: TelemetryWindow): string {
  return `SELECT e.customer_id, e.gpu_id, count(*)::integer AS n FROM fleet.gpu_xid_events e
    WHERE ${statement.customer('e')}
      AND e.opens_incident AND e.at >= ${statement.value(new Date(window.fromMs))} AND e.at < ${statement.value(new Date(window.toMs))}
    GROUP BY e.customer_id, e.gpu_id`;
}
