import { Injectable } from '@nestjs/common';
import { type Access, GPU_HEALTHS, type GpuRow } from '@gpu-observatory/domain-types';
import type { ScopeFilter } from '../access/scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import { healthSql } from './health/health.sql.ts';
import type { TelemetryWindow } from './telemetry-window.ts';

/** A row of the list as the database gives it: the series is null where none was asked for, times are dates. */
export interface GpuListRow extends Omit<GpuRow, 'utilization_series' | 'last_seen'> {
  utilization_series: number[] | null;
  last_seen: Date;
}

export interface GpuListOptions {
  window: TelemetryWindow;
  /** Whether rows carry their series. */
  series: boolean;
  limit: number | null;
  filter: ScopeFilter;
  apiKeyId: number | null;
}

/** Reads the list of GPUs. */
@Injectable()
export class GpusQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** GPUs in the order of what needs a person first: critical, degraded, missing, healthy, then hostname, then gpu_id. */
  async list(
    access: Access,
    { window, series, limit, filter, apiKeyId }: GpuListOptions,
  ): Promise<GpuListRow[]> {
    return this.tenants.query<GpuListRow>(
      access,
      (statement) => {
        const key = apiKeyId === null ? 'true' : `g.api_key_id = ${statement.value(apiKeyId)}::bigint`;
        return `WITH listed AS MATERIALIZED (
            SELECT g.customer_id, g.gpu_id, g.workspace_id, g.vendor, g.model, g.compute_stack, g.driver_version,
                   ${healthSql('g')} AS health, g.hostname, g.pcie_address, g.serial_no, g.last_seen
            FROM fleet.gpus g
            WHERE ${statement.rows('g')} AND ${key}
            ORDER BY ${rank(healthSql('g'))}, g.hostname, g.gpu_id, g.customer_id
            ${limit === null ? '' : `LIMIT ${statement.value(limit)}`}
          )
          SELECT l.gpu_id, l.workspace_id, l.vendor, l.model, l.compute_stack, l.driver_version, l.health, l.hostname,
                 l.pcie_address, l.serial_no, t.utilization_pct, t.temperature_c,
                 CASE WHEN t.xid_reports > 0 OR x.n > 0 THEN coalesce(x.n, 0) END AS xid_errors,
                 ${series ? "coalesce(t.utilization_series, '[]')" : 'NULL::json'} AS utilization_series, l.last_seen
          FROM listed l
          LEFT JOIN LATERAL (${windowSql(statement, window, series)}) AS t ON true
          LEFT JOIN (${xidCountsSql(statement, window)}) AS x ON x.customer_id = l.customer_id AND x.gpu_id = l.gpu_id
          ORDER BY ${rank('l.health')}, l.hostname, l.gpu_id, l.customer_id`;
      },
      { filter },
    );
  }
}

/** What needs a person first. */
function rank(health: string): string {
  return `array_position(ARRAY[${GPU_HEALTHS.map((one) => `'${one}'`).join(', ')}], ${health})`;
}

/** Means over the window and the series of its buckets, from the half hours of the days of the GPU `l`. */
function windowSql(statement: ScopedStatement, window: TelemetryWindow, series: boolean): string {
  const from = `${statement.value(new Date(window.fromMs))}::timestamptz`;
  const to = `${statement.value(new Date(window.toMs))}::timestamptz`;
  const bucketSeconds = statement.value(window.bucketMs / 1000);
  return `SELECT sum(b.utilization_sum) / nullif(sum(b.utilization_n), 0) AS utilization_pct,
      sum(b.temperature_sum) / nullif(sum(b.temperature_n), 0) AS temperature_c,
      sum(b.xid_reports) AS xid_reports${
        series
          ? `, json_agg(round((b.utilization_sum / b.utilization_n)::numeric, 2) ORDER BY b.bucket)
               FILTER (WHERE b.utilization_n > 0) AS utilization_series`
          : ''
      }
    FROM (
      SELECT floor(extract(epoch FROM h.at - ${from}) / ${bucketSeconds}::float8) AS bucket,
             sum(h.utilization_sum) AS utilization_sum, sum(h.utilization_n) AS utilization_n,
             sum(h.temperature_sum) AS temperature_sum, sum(h.temperature_n) AS temperature_n,
             sum(h.xid_reports) AS xid_reports
      FROM (
        SELECT d.day + (s.half_hour - 1) * interval '30 minutes' AS at, s.utilization_sum, s.utilization_n,
               s.temperature_sum, s.temperature_n, s.xid_reports
        FROM fleet.gpu_days d,
          unnest(d.utilization_sum, d.utilization_n, d.temperature_sum, d.temperature_n, d.xid_reports) WITH ORDINALITY
            AS s (utilization_sum, utilization_n, temperature_sum, temperature_n, xid_reports, half_hour)
        WHERE d.customer_id = l.customer_id AND d.gpu_id = l.gpu_id
          AND d.day > ${from} - interval '1 day' AND d.day < ${to}
      ) AS h
      WHERE h.at >= ${from} AND h.at < ${to}
      GROUP BY 1
    ) AS b`;
}

function xidCountsSql(statement: ScopedStatement, window: TelemetryWindow): string {
  return `SELECT e.customer_id, e.gpu_id, count(*)::integer AS n FROM fleet.gpu_xid_events e
    WHERE ${statement.customers('e')}
      AND e.at >= ${statement.value(new Date(window.fromMs))} AND e.at < ${statement.value(new Date(window.toMs))}
    GROUP BY e.customer_id, e.gpu_id`;
}
