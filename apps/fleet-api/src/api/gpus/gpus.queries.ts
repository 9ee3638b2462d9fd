import { Injectable } from '@nestjs/common';
import type { Access, GpuHealth } from '@gpu-observatory/domain-types';
import type { ScopeFilter } from '../access/access-scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import {
  type DataVersion,
  dataVersionOf,
  type PositionRow,
  positionsSql,
} from '../data-version/data-version.ts';
import { inScope, listedSql } from './gpu-order.sql.ts';
import { telemetrySql } from '../../model/gpu-days/read-telemetry.sql.ts';
import { healthChangedSql } from '../../model/health/health.sql.ts';
import type { TelemetryWindow } from './telemetry-window.ts';

/** Which GPUs a list is of. */
export interface GpuScope {
  filter: ScopeFilter;
  apiKeyId: number | null;
}

/** Which GPU stands at a place of the list, and how it was when the list began. */
export type GpuPlace = [customerId: number, gpuId: string, health: GpuHealth];

/** What a list depends on beside its query. */
export interface FleetState {
  data: DataVersion;
  /** When the clock last changed the health of a GPU in scope, in milliseconds since the epoch; null when it never did. */
  healthChangedMs: number | null;
}

interface StateRow {
  positions: PositionRow[];
  health_changed: Date | null;
}

/** What rows tell beside what they are. */
export interface GpuMeasures {
  window: TelemetryWindow;
  /** Whether they carry their series. */
  series: boolean;
}

/**
 * So many rows are one text of the answer. The driver puts a long value together from what the socket gives it, and copies it
 * each time it grows: texts that fit into one reading cost less.
 */
const PIECE = 32;

/** Reads the list of GPUs. */
@Injectable()
export class GpusQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** What is needed to know whether a list would still be the same. */
  async state(access: Access, scope: GpuScope): Promise<FleetState> {
    const [row] = await this.tenants.query<StateRow>(
      access,
      (statement) => `SELECT ${stateSql(statement, scope)}`,
      {
        filter: scope.filter,
      },
    );
    return toState(row);
  }

  /**
   * A list of at most `limit` rows, in one statement: what needs a person first, as in `places`.
   *
   * @returns the rows' JSON, in pieces of several, each separated by commas
   */
  async page(
    access: Access,
    scope: GpuScope,
    limit: number,
    measures: GpuMeasures,
  ): Promise<FleetState & { rows: string[] }> {
    const rows = await this.tenants.query<StateRow & { rows: string | null }>(
      access,
      (statement) => `WITH ${listedSql(statement, scope, limit)}, ${rowsSql(statement, measures)}
        SELECT p.rows, state.positions, state.health_changed
        FROM (SELECT ${stateSql(statement, scope)}) AS state LEFT JOIN pieces p ON true ORDER BY p.first_place`,
      { filter: scope.filter },
    );
    return { ...toState(rows[0]), rows: rows.flatMap(({ rows: piece }) => piece ?? []) };
  }

  /**
   * The GPUs in the order of what needs a person first: critical, degraded, missing, healthy, then hostname, then gpu_id.
   *
   * @param limit at most so many; null for all
   */
  async places(
    access: Access,
    scope: GpuScope,
    limit: number | null,
  ): Promise<FleetState & { places: GpuPlace[] }> {
    const [row] = await this.tenants.query<StateRow & { places: GpuPlace[] }>(
      access,
      (statement) => `WITH ${listedSql(statement, scope, limit)}
        SELECT ${stateSql(statement, scope)},
          (SELECT coalesce(json_agg(json_build_array(l.customer_id, l.gpu_id, l.health) ORDER BY l.place), '[]')
           FROM listed l) AS places`,
      { filter: scope.filter },
    );
    return { ...toState(row), places: row?.places ?? [] };
  }

  /** The rows of these places, in their order, each with the health that gave it its place; as those of a page. */
  async rows(
    access: Access,
    { filter }: GpuScope,
    places: readonly GpuPlace[],
    measures: GpuMeasures,
  ): Promise<string[]> {
    const rows = await this.tenants.query<{ rows: string }>(
      access,
      (statement) => {
        const [customers, ids, healths] = [0, 1, 2].map((part) =>
          statement.value(places.map((place) => place[part])),
        );
        return `WITH listed AS (
            SELECT g.customer_id, g.gpu_id, g.list_item, g.last_seen, p.health, p.place
            FROM unnest(${customers}::integer[], ${ids}::text[], ${healths}::text[])
              WITH ORDINALITY AS p (customer_id, gpu_id, health, place)
            JOIN fleet.gpus g ON g.customer_id = p.customer_id AND g.gpu_id = p.gpu_id
            WHERE ${statement.rows('g')}
          ), ${rowsSql(statement, measures)}
          SELECT p.rows FROM pieces p ORDER BY p.first_place`;
      },
      { filter },
    );
    return rows.map(({ rows: piece }) => piece);
  }
}

/** Where the data are, and what the clock has changed of them. */
function stateSql(statement: ScopedStatement, scope: GpuScope): string {
  return `(${positionsSql(statement)}) AS positions, ${healthChangedSql(() => inScope(statement, scope))} AS health_changed`;
}

/**
 * The relation `pieces`: the JSON of the GPUs that are `listed`, with what was measured of them (contract 2.5).
 */
function rowsSql(statement: ScopedStatement, { window, series }: GpuMeasures): string {
  const ofSeries = series ? `',"utilization_series":[', t.utilization_series, ']',` : '';
  return `rendered AS MATERIALIZED (
      SELECT g.place, concat(g.list_item, ',"health":"', g.health, '","utilization_pct":', coalesce(t.utilization_pct, 'null'),
        ',"temperature_c":', coalesce(t.temperature_c, 'null'),
        ',"xid_errors":', CASE WHEN t.xid_reported OR x.n > 0 THEN coalesce(x.n, 0)::text ELSE 'null' END,
        ${ofSeries} ',"last_seen":"', to_char(g.last_seen AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"}') AS row
      FROM listed g
      LEFT JOIN LATERAL (${telemetrySql(statement, window, series)}) AS t ON true
      LEFT JOIN (${xidCountsSql(statement, window)}) AS x ON x.customer_id = g.customer_id AND x.gpu_id = g.gpu_id
    ), pieces AS (
      SELECT min(r.place) AS first_place, string_agg(r.row, ',' ORDER BY r.place) AS rows
      FROM rendered r GROUP BY (r.place - 1) / ${PIECE}
    )`;
}

function toState(row: StateRow | undefined): FleetState {
  return {
    data: dataVersionOf(row?.positions ?? []),
    healthChangedMs: row?.health_changed?.getTime() ?? null,
  };
}

function xidCountsSql(statement: ScopedStatement, window: TelemetryWindow): string {
  return `SELECT e.customer_id, e.gpu_id, count(*)::integer AS n FROM fleet.gpu_xid_events e
    WHERE ${statement.customers('e')}
      AND e.at >= ${statement.value(new Date(window.fromMs))} AND e.at < ${statement.value(new Date(window.toMs))}
    GROUP BY e.customer_id, e.gpu_id`;
}
