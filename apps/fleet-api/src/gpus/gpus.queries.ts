import { Injectable } from '@nestjs/common';
import { type Access, GPU_HEALTHS, type GpuHealth, type GpuRow } from '@gpu-observatory/domain-types';
import type { ScopeFilter } from '../access/scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import {
  type DataVersion,
  dataVersionOf,
  type PositionRow,
  positionsSql,
} from '../freshness/data-version.ts';
import { healthChangedSql, healthSql } from './health/health.sql.ts';
import { telemetrySql } from './gpu-telemetry.sql.ts';
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

/** A row as the database gives it: the series is JSON, null where none was asked for. */
export interface GpuListRow extends Omit<GpuRow, 'health' | 'utilization_series' | 'last_seen'> {
  customer_id: number;
  utilization_series: string | null;
  last_seen: Date;
}

interface StateRow {
  positions: PositionRow[];
  health_changed: Date | null;
}

/** Reads the list of GPUs. */
@Injectable()
export class GpusQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** What is needed to know whether a list would still be the same. */
  async state(access: Access, scope: GpuScope): Promise<FleetState> {
    const [row] = await this.tenants.query<StateRow>(
      access,
      (statement) => `SELECT (${positionsSql(statement)}) AS positions, (
          SELECT max(${healthChangedSql('g')}) FROM fleet.gpus g WHERE ${inScope(statement, scope)}) AS health_changed`,
      { filter: scope.filter },
    );
    return toState(row);
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
      (statement) => `WITH scoped AS MATERIALIZED (
          SELECT g.customer_id, g.gpu_id, g.hostname, ${healthSql('g')} AS health, ${healthChangedSql('g')} AS changed
          FROM fleet.gpus g WHERE ${inScope(statement, scope)}
        ), placed AS (
          SELECT s.customer_id, s.gpu_id, s.hostname, s.health, ${rankSql('s.health')} AS rank
          FROM scoped s ORDER BY rank, hostname, gpu_id, customer_id
          ${limit === null ? '' : `LIMIT ${statement.value(limit)}`}
        )
        SELECT (${positionsSql(statement)}) AS positions, (SELECT max(s.changed) FROM scoped s) AS health_changed,
          (SELECT coalesce(json_agg(json_build_array(p.customer_id, p.gpu_id, p.health)
             ORDER BY p.rank, p.hostname, p.gpu_id, p.customer_id), '[]') FROM placed p) AS places`,
      { filter: scope.filter },
    );
    return { ...toState(row), places: row?.places ?? [] };
  }

  /**
   * Rows of these places, in their order, with what was measured in the window.
   *
   * @param series whether rows carry their series
   */
  async rows(
    access: Access,
    { filter }: GpuScope,
    places: readonly GpuPlace[],
    { window, series }: { window: TelemetryWindow; series: boolean },
  ): Promise<GpuListRow[]> {
    return this.tenants.query<GpuListRow>(
      access,
      (statement) => {
        const customers = statement.value(places.map(([customerId]) => customerId));
        const ids = statement.value(places.map(([, gpuId]) => gpuId));
        return `SELECT g.customer_id, g.gpu_id, g.workspace_id, g.vendor, g.model, g.compute_stack, g.driver_version,
            g.hostname, g.pcie_address, g.serial_no, t.utilization_pct, t.temperature_c,
            CASE WHEN t.xid_reports > 0 OR x.n > 0 THEN coalesce(x.n, 0) END AS xid_errors,
            ${series ? "coalesce(t.utilization_series::text, '[]')" : 'NULL'} AS utilization_series, g.last_seen
          FROM unnest(${customers}::integer[], ${ids}::text[]) WITH ORDINALITY AS listed (customer_id, gpu_id, place)
          JOIN fleet.gpus g ON g.customer_id = listed.customer_id AND g.gpu_id = listed.gpu_id
          LEFT JOIN LATERAL (${telemetrySql(statement, window, series)}) AS t ON true
          LEFT JOIN (${xidCountsSql(statement, window)}) AS x ON x.customer_id = g.customer_id AND x.gpu_id = g.gpu_id
          WHERE ${statement.rows('g')}
          ORDER BY listed.place`;
      },
      { filter },
    );
  }
}

function inScope(statement: ScopedStatement, { apiKeyId }: GpuScope): string {
  const key = apiKeyId === null ? 'true' : `g.api_key_id = ${statement.value(apiKeyId)}::bigint`;
  return `${statement.rows('g')} AND ${key}`;
}

function toState(row: StateRow | undefined): FleetState {
  return {
    data: dataVersionOf(row?.positions ?? []),
    healthChangedMs: row?.health_changed?.getTime() ?? null,
  };
}

/** What needs a person first. */
function rankSql(health: string): string {
  return `CASE ${health} ${GPU_HEALTHS.map((one, rank) => `WHEN '${one}' THEN ${rank}`).join(' ')} END`;
}

function xidCountsSql(statement: ScopedStatement, window: TelemetryWindow): string {
  return `SELECT e.customer_id, e.gpu_id, count(*)::integer AS n FROM fleet.gpu_xid_events e
    WHERE ${statement.customers('e')}
      AND e.at >= ${statement.value(new Date(window.fromMs))} AND e.at < ${statement.value(new Date(window.toMs))}
    GROUP BY e.customer_id, e.gpu_id`;
}
