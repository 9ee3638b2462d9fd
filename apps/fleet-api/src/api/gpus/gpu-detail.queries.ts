import { Injectable } from '@nestjs/common';
import type { Access, GpuHealth, GpuProcess } from '@gpu-observatory/domain-types';
import { findRow } from '../access/find-row.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import { ALL_DATA, type DataVersion } from '../data-version/data-version.ts';
import type { HealthSignal } from '../../model/health/health-signal.ts';
import { healthSql } from '../../model/health/health.sql.ts';

export interface GpuDetailRow {
  customer_id: number;
  gpu_id: string;
  vendor: string;
  model: string;
  health: GpuHealth;
  serial_no: string;
  compute_stack: string;
  driver_version: string;
  firmware_version: string;
  hostname: string;
  pcie_address: string;
  mig_enabled: boolean;
  latest: Partial<Record<LatestReading, number>>;
  /** Health signals that apply now. */
  signals: HealthSignal[];
  last_seen: Date;
  report_interval_seconds: number;
  /** Means per half hour of the last 24 h, oldest first. */
  half_hours: HalfHour[];
  alerts_24h: { severity: number; type: string; n: number }[];
  /** Incidents of the last 24 h, newest first, at most 50. */
  recent_xids: { code: number; at: string; message: string; count: number }[];
  xid_reported_24h: boolean;
  xid_errors_24h: number;
  /** Incidents of the last 3.5 days, and of the 3.5 days before. */
  xid_recent: number;
  xid_before: number;
  last_xid_code: number | null;
  processes: GpuProcess[];
}

type LatestReading =
  | 'utilization_pct'
  | 'memory_used_mib'
  | 'memory_total_mib'
  | 'temperature_c'
  | 'power_draw_w'
  | 'power_limit_w'
  | 'fan_pct'
  | 'memory_temperature_c'
  | 'remapped_rows_total'
  | 'tensor_active_pct'
  | 'dram_active_pct'
  | 'pcie_tx_mb_per_second'
  | 'pcie_rx_mb_per_second'
  | 'energy_millijoules_total';

export interface HalfHour {
  /** The part of it within the last 24 h and between the GPU's first and last report. */
  seconds: number;
  utilization_pct: number | null;
  memory_used_mib: number | null;
  temperature_c: number | null;
  power_draw_w: number | null;
}

/** Reads all of a GPU's details from one snapshot. */
@Injectable()
export class GpuDetailQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @returns null when the GPU does not exist or the caller may not read it */
  find(access: Access, id: string): Promise<(GpuDetailRow & { data: DataVersion }) | null> {
    return findRow<GpuDetailRow>(this.tenants, access, {
      select: (
        statement,
      ) => `SELECT g.customer_id, g.gpu_id, g.vendor, g.model, ${healthSql('g')} AS health, g.serial_no, g.compute_stack,
          g.driver_version, g.firmware_version, g.hostname, g.pcie_address, g.mig_enabled, g.latest, g.last_seen,
          g.report_interval_seconds,
          (SELECT coalesce(jsonb_agg(f), '[]') FROM jsonb_array_elements(g.health_signals) AS f
           WHERE (f ->> 'until')::timestamptz > now()) AS signals,
          (${halfHoursSql(statement)}) AS half_hours,
          (${alertsSql(statement)}) AS alerts_24h,
          x.recent_xids, x.errors_24h AS xid_errors_24h, x.recent AS xid_recent, x.before AS xid_before,
          (${lastXidSql(statement)}) AS last_xid_code,
          coalesce((g.latest ->> 'xid_reported_at')::timestamptz > now() - interval '24 hours', false) AS xid_reported_24h,
          (${processesSql(statement)}) AS processes
        FROM fleet.gpus g
        CROSS JOIN LATERAL (${xidSql(statement)}) AS x
        WHERE g.gpu_id = ${statement.value(id)} AND ${statement.rows('g')}`,
      compare: byLastReport,
      kinds: ALL_DATA,
    });
  }
}

/** The half hours that overlap the last 24 h: usually 49, with a partial first and last one. */
function halfHoursSql(statement: ScopedStatement): string {
  return `SELECT coalesce(json_agg(json_build_object(
        'seconds', greatest(0, extract(epoch FROM least(h.at + interval '30 minutes', now(), g.last_seen)
          - greatest(h.at, now() - interval '24 hours', g.first_seen))),
        'utilization_pct', round((s.us / nullif(s.un, 0))::numeric, 2), 'memory_used_mib', round((s.ms / nullif(s.mn, 0))::numeric, 2),
        'temperature_c', round((s.ts / nullif(s.tn, 0))::numeric, 2), 'power_draw_w', round((s.ps / nullif(s.pn, 0))::numeric, 2))
        ORDER BY h.at), '[]')
    FROM fleet.gpu_days d,
      unnest(d.utilization_sum, d.utilization_n, d.memory_used_sum, d.memory_used_n, d.temperature_sum, d.temperature_n,
             d.power_sum, d.power_n, d.samples) WITH ORDINALITY AS s (us, un, ms, mn, ts, tn, ps, pn, samples, half_hour),
      LATERAL (SELECT d.day + (s.half_hour - 1) * interval '30 minutes' AS at) AS h
    WHERE ${statement.customer('d')} AND d.gpu_id = g.gpu_id
      AND d.day > now() - interval '48 hours' AND d.day <= now() AND s.samples > 0
      AND h.at > now() - interval '24 hours 30 minutes'`;
}

/** Counts the GPU's alerts of the last 24 h that the caller may read. */
function alertsSql(statement: ScopedStatement): string {
  return `SELECT coalesce(json_agg(c), '[]') FROM (
      SELECT a.severity, a.type, count(*) AS n FROM fleet.alerts a
      WHERE ${statement.customer('a')} AND a.gpu_id = g.gpu_id AND a.created_at > now() - interval '24 hours'
        AND ${statement.rows('a')}
      GROUP BY a.severity, a.type ORDER BY n DESC, a.type
    ) AS c`;
}

/**
 * Counts incidents. Per code and variant, the running count of opening events numbers them; 0 is an incident that began before
 * the window.
 */
function xidSql(statement: ScopedStatement): string {
  return `SELECT
      coalesce(json_agg(json_build_object('code', i.code, 'at', i.at, 'message', i.message, 'count', i.n) ORDER BY i.line)
        FILTER (WHERE i.line <= 50 AND i.at > now() - interval '24 hours'), '[]') AS recent_xids,
      (count(*) FILTER (WHERE i.at > now() - interval '24 hours'))::integer AS errors_24h,
      (count(*) FILTER (WHERE i.at > now() - interval '84 hours'))::integer AS recent,
      (count(*) FILTER (WHERE i.at <= now() - interval '84 hours'))::integer AS before
    FROM (
      SELECT o.code, min(o.at) AS at, count(*) AS n, (array_agg(o.message ORDER BY o.at, o.sequence))[1] AS message,
             row_number() OVER (ORDER BY min(o.at) DESC, max(o.sequence) DESC, o.code) AS line
      FROM (
        SELECT e.code, e.variant, e.at, e.sequence, e.message,
               count(*) FILTER (WHERE e.opens_incident)
                 OVER (PARTITION BY e.code, e.variant ORDER BY e.at, NOT e.opens_incident ROWS UNBOUNDED PRECEDING) AS incident
        FROM fleet.gpu_xid_events e
        WHERE ${statement.customer('e')} AND e.gpu_id = g.gpu_id AND e.at > now() - interval '168 hours'
          AND (e.opens_incident OR e.reach_ms = 0)
      ) AS o
      WHERE o.incident > 0 GROUP BY o.code, o.variant, o.incident
    ) AS i`;
}

/** The last code within the retention of events, not only of the last 24 h. */
function lastXidSql(statement: ScopedStatement): string {
  return `SELECT e.code FROM fleet.gpu_xid_events e
    WHERE ${statement.customer('e')} AND e.gpu_id = g.gpu_id
    ORDER BY e.at DESC, e.sequence DESC, e.code
    LIMIT 1`;
}

/** Processes, and pods and jobs, of the most recent reports; one that they do not contain has ended. */
function processesSql(statement: ScopedStatement): string {
  const isCurrent = (table: string) =>
    `${statement.customer(table)} AND ${table}.gpu_id = g.gpu_id AND ${table}.last_seen > g.last_seen - interval '15 minutes'`;
  return `SELECT coalesce(json_agg(json_build_object('pid', coalesce(p.pid::text, ''), 'name', p.name,
        'description', p.description, 'usage_category', p.usage_category, 'gpu_utilization_pct', p.gpu_utilization_pct,
        'memory_usage_gb', round((p.memory_used_mib / 1024)::numeric, 3), 'started_at', p.started_at)
        ORDER BY p.gpu_utilization_pct DESC NULLS LAST, p.pid, p.name, p.description), '[]')
    FROM (
      SELECT r.pid, r.name, r.description, r.usage_category, r.gpu_utilization_pct, r.memory_used_mib, r.started_at
      FROM fleet.gpu_processes r WHERE ${isCurrent('r')}
      UNION ALL
      SELECT NULL, w.name, w.description, w.usage_category, NULL, NULL, w.first_seen
      FROM fleet.gpu_workloads w WHERE ${isCurrent('w')}
    ) AS p`;
}

function byLastReport(a: GpuDetailRow, b: GpuDetailRow): number {
  return b.last_seen.getTime() - a.last_seen.getTime() || a.customer_id - b.customer_id;
}
