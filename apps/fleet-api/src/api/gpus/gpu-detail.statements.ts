import { SEVERITIES } from '@gpu-observatory/domain-types';
import { healthSql, signalsSql } from '../../model/health/health.sql.ts';
import { inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { withDataVersion } from '../data-version/data-version.ts';
import { isCurrentSql } from '../jobs/jobs.sql.ts';
import { gigabytesSql } from './latest-readings.ts';
import { timestampSql } from '../timestamp.sql.ts';

const MAX_RECENT_XIDS = 50;
/** Columns of `fleet.gpus` in `specs`. */
const SPECS =
  'serial_no compute_stack driver_version firmware_version hostname pcie_address mig_enabled'.split(' ');

/** Length of the telemetry history. Of 49 half hours, it omits the oldest, which is only partly within the last 24 h. */
const HISTORY_HALF_HOURS = 48;

/** Returns the values of the half hours `h` in the history as JSON. Half hours without a reading are omitted. */
const seriesSql = (column: string, value = column) =>
  `coalesce(json_agg(${value} ORDER BY h.at) FILTER (WHERE ${column} IS NOT NULL AND h.age <= ${HISTORY_HALF_HOURS}), '[]')`;

/**
 * Means of the half hours `h` that overlap the last 24 h: usually 49, with a partial first and last one. `seconds` is the length of the
 * part that is within the last 24 h and between the GPU's first and last report.
 *
 * `d.day` limits the rows by the primary key; `b.at` then selects half hours.
 */
const HALF_HOURS = `SELECT json_build_object('utilization', ${seriesSql('h.utilization_pct')},
        'memory', ${seriesSql('h.memory_used_mib', gigabytesSql('h.memory_used_mib'))},
        'temperature', ${seriesSql('h.temperature_c')}, 'power', ${seriesSql('h.power_draw_w')}) AS history,
      floor(coalesce(sum(h.seconds ORDER BY h.at) FILTER (WHERE h.utilization_pct IS NOT NULL), 0) + 0.5)::integer AS measured_seconds,
      floor(coalesce(sum(h.utilization_pct / 100 * h.seconds ORDER BY h.at), 0) + 0.5)::integer AS busy_seconds
    FROM (
      SELECT b.at, row_number() OVER (ORDER BY b.at DESC) AS age,
        greatest(0, extract(epoch FROM least(b.at + interval '30 minutes', now(), g.last_seen)
          - greatest(b.at, now() - interval '24 hours', g.first_seen)))::float8 AS seconds,
        round((s.utilization_sum / nullif(s.utilization_n, 0))::numeric, 2)::float8 AS utilization_pct,
        round((s.memory_used_sum / nullif(s.memory_used_n, 0))::numeric, 2)::float8 AS memory_used_mib,
        round((s.temperature_sum / nullif(s.temperature_n, 0))::numeric, 2)::float8 AS temperature_c,
        round((s.power_sum / nullif(s.power_n, 0))::numeric, 2)::float8 AS power_draw_w
      FROM fleet.gpu_days d,
        unnest(d.utilization_sum, d.utilization_n, d.memory_used_sum, d.memory_used_n, d.temperature_sum, d.temperature_n,
               d.power_sum, d.power_n, d.samples) WITH ORDINALITY AS s (utilization_sum, utilization_n, memory_used_sum, memory_used_n,
               temperature_sum, temperature_n, power_sum, power_n, samples, half_hour),
        LATERAL (SELECT d.day + (s.half_hour - 1) * interval '30 minutes' AS at) AS b
      WHERE d.customer_id = :customer AND d.gpu_id = g.gpu_id
        AND d.day > now() - interval '48 hours' AND d.day <= now() AND s.samples > 0
        AND b.at > now() - interval '24 hours 30 minutes'
    ) AS h`;

/** Counts the GPU's alerts of the last 24 h that the caller may read. */
const ALERTS = `SELECT json_build_object(
        'by_severity', json_build_array(${SEVERITIES.map((severity) => `json_build_object('severity', '${severity}', 'count', coalesce(sum(t.${severity}), 0))`).join(', ')}),
        'by_type', coalesce(json_agg(json_build_object('type', t.type, 'count', t.n) ORDER BY t.n DESC, t.type), '[]'))
    FROM (
      SELECT a.type, count(*) AS n,
        ${SEVERITIES.map((severity, rank) => `count(*) FILTER (WHERE a.severity = ${rank}) AS ${severity}`).join(', ')}
      FROM fleet.alerts a
      WHERE ${inScopeSql('a')} AND a.gpu_id = g.gpu_id AND a.created_at > now() - interval '24 hours'
      GROUP BY a.type
    ) AS t`;

/**
 * Counts incidents. The rows of `o` are events. `o.incident`, the running count of opening events of a code and variant, numbers the
 * incidents; 0 is an incident that began before the window. The rows of `i` are incidents. `trend_7d` compares the two halves (84 h
 * each) of the last 7 days.
 *
 * A gauge event (`reach_ms > 0`) that opens no incident repeats an event of the driver or an earlier gauge event, so it is not
 * among the events of an incident.
 */
const XIDS = `SELECT
      coalesce(json_agg(json_build_object('code', i.code, 'message', i.message, 'count', i.n, 'occurred_at', ${timestampSql('i.at')}) ORDER BY i.line)
        FILTER (WHERE i.line <= ${MAX_RECENT_XIDS} AND i.at > now() - interval '24 hours'), '[]') AS recent_xids,
      (count(*) FILTER (WHERE i.at > now() - interval '24 hours'))::integer AS errors_24h,
      (count(*) FILTER (WHERE i.at > now() - interval '84 hours'))::integer AS second_half_7d,
      (count(*) FILTER (WHERE i.at <= now() - interval '84 hours'))::integer AS first_half_7d
    FROM (
      SELECT o.code, min(o.at) AS at, count(*) AS n, (array_agg(o.message ORDER BY o.at, o.sequence))[1] AS message,
             row_number() OVER (ORDER BY min(o.at) DESC, max(o.sequence) DESC, o.code) AS line
      FROM (
        SELECT e.code, e.variant, e.at, e.sequence, e.message,
               count(*) FILTER (WHERE e.opens_incident)
                 OVER (PARTITION BY e.code, e.variant ORDER BY e.at, NOT e.opens_incident ROWS UNBOUNDED PRECEDING) AS incident
        FROM fleet.gpu_xid_events e
        WHERE e.customer_id = :customer AND e.gpu_id = g.gpu_id AND e.at > now() - interval '168 hours'
          AND (e.opens_incident OR e.reach_ms = 0)
      ) AS o
      WHERE o.incident > 0 GROUP BY o.code, o.variant, o.incident
    ) AS i`;

/** Code of the last stored XID, which may be older than 24 h. */
const LAST_XID = `SELECT e.code FROM fleet.gpu_xid_events e
    WHERE e.customer_id = :customer AND e.gpu_id = g.gpu_id
    ORDER BY e.at DESC, e.sequence DESC, e.code
    LIMIT 1`;

/** Returns the predicate of the rows that the most recent reports of the GPU contain. */
const isCurrentOfGpuSql = (table: string) =>
  `${table}.customer_id = :customer AND ${table}.gpu_id = g.gpu_id AND ${isCurrentSql(table)}`;

/** The processes, pods and jobs of the most recent reports. */
const PROCESSES = `SELECT coalesce(json_agg(json_build_object('pid', coalesce(p.pid::text, ''), 'name', p.name,
        'description', p.description, 'usage_category', p.usage_category, 'gpu_utilization_pct', p.gpu_utilization_pct,
        'memory_usage_gb', ${gigabytesSql('p.memory_used_mib')}, 'started_at', ${timestampSql('p.started_at')})
        ORDER BY p.gpu_utilization_pct DESC NULLS LAST, p.pid, p.name, p.description), '[]')
    FROM (
      SELECT r.pid, r.name, r.description, r.usage_category, r.gpu_utilization_pct, r.memory_used_mib, r.started_at
      FROM fleet.gpu_processes r WHERE ${isCurrentOfGpuSql('r')}
      UNION ALL
      SELECT NULL, w.name, w.description, w.usage_category, NULL, NULL, w.first_seen
      FROM fleet.gpu_workloads w WHERE ${isCurrentOfGpuSql('w')}
    ) AS p`;

/** A GPU by its id: primary keys, and `alerts_of_gpu`. */
export const GPU_DETAIL = new TenantStatement<{ id: string }>(
  withDataVersion(`SELECT g.customer_id, g.gpu_id, g.vendor, g.model, ${healthSql('g')} AS health,
          json_build_object(${SPECS.map((column) => `'${column}', g.${column}`).join(', ')}) AS specs,
          g.latest, g.last_seen, g.report_interval_seconds, ${signalsSql('g')} AS signals,
          h.history, h.measured_seconds, h.busy_seconds,
          (${ALERTS}) AS alerts_24h,
          x.recent_xids,
          CASE WHEN x.errors_24h > 0 OR (g.latest ->> 'xid_reported_at')::timestamptz > now() - interval '24 hours'
            THEN x.errors_24h END AS xid_errors_24h,
          x.second_half_7d AS xid_second_half_7d, x.first_half_7d AS xid_first_half_7d,
          (${LAST_XID}) AS last_xid_code,
          (${PROCESSES}) AS processes
        FROM fleet.gpus g
        CROSS JOIN LATERAL (${HALF_HOURS}) AS h
        CROSS JOIN LATERAL (${XIDS}) AS x
        WHERE ${inScopeSql('g')} AND g.gpu_id = :id`),
);
