import { TELEMETRY } from '../../model/gpu-days/read-telemetry.sql.ts';
import { healthSql, signalsSql } from '../../model/health/health.sql.ts';
import { urgencySql } from '../../model/health/urgency.sql.ts';
import type { WindowParameters } from '../gpus/telemetry-window.ts';
import type { StatusSort } from './status-query.dto.ts';

/** Mean utilization of a window below which a GPU or host counts as idle, in percent. */
export const IDLE_BELOW_PCT = 5;
/** Sort key of a row whose reading is unknown. It is after all other keys, which are below 10,000. */
const UNKNOWN = '1e9::float8';

/** Filters, which are null for all rows, and the sort of a list. */
export interface StatusSelection {
  healths: string[] | null;
  models: string[] | null;
  /** Only of the list of GPUs. */
  hostname: string | null;
  idle: boolean | null;
  /** Whether `idle` or the sort compares means. */
  needsMeans: boolean;
  sort: StatusSort;
}

/** Parameters of a page of a list, with the sort key (`after…`) that the page begins after. */
export interface StatusParameters extends WindowParameters, StatusSelection {
  afterKey: number;
  afterHostname: string;
  afterGpuId: string;
  afterCustomer: number;
  limit: number;
}

/** Columns of the GPU `g`: inventory, health and newest readings; from `STATUS_JOINS` the means `t` and XID incidents `x` of a window. */
export const STATUS_COLUMNS = `g.gpu_id, g.hostname, g.workspace_id, g.vendor, g.model, g.pcie_address, g.serial_no,
        ${healthSql('g')} AS health, ${urgencySql('g')} AS rank, ${signalsSql('g')} AS signals, g.latest, g.last_seen,
        g.report_interval_seconds, t.utilization_pct::float8 AS mean_utilization_pct,
        t.temperature_c::float8 AS mean_temperature_c,
        CASE WHEN t.xid_reported OR x.n > 0 THEN x.n END AS xid_errors`;

/** Joins telemetry `t` and XID incidents `x` of the GPU `g` in a window, by primary key. */
export const STATUS_JOINS = `LEFT JOIN LATERAL (${TELEMETRY.none}) AS t ON true
      CROSS JOIN LATERAL (
        SELECT count(*)::integer AS n FROM fleet.gpu_xid_events e
        WHERE e.customer_id = :customer AND e.gpu_id = g.gpu_id AND e.opens_incident
          AND e.at >= :from::timestamptz AND e.at < :to::timestamptz
      ) AS x`;

/**
 * Columns of the GPU `g` that lists are filtered and sorted by. A missing GPU has no temperature: its last reading may be outdated. The
 * mean takes longer than all other columns, so it is read only if `:needsMeans` is true.
 */
export const MEASURED_COLUMNS = `g.gpu_id, g.hostname, g.model, ${urgencySql('g')} AS rank,
        CASE WHEN ${healthSql('g')} <> 'missing' THEN (g.latest ->> 'temperature_c')::float8 END AS temperature_c,
        CASE WHEN :needsMeans::boolean THEN (SELECT t.utilization_pct::float8 FROM (${TELEMETRY.none}) AS t) END AS mean_pct`;

/**
 * Returns the expression of the sort key (ascending) of rows with `temperature_c` and `mean_pct`. The mean is rounded, because the
 * order in which floats are added up may differ between pages.
 *
 * @param worst expression of the sort key by health
 */
export function sortKeySql(row: string, worst: string): string {
  return `(CASE :sort::text WHEN 'worst' THEN ${worst} WHEN 'hottest' THEN coalesce(-${row}.temperature_c, ${UNKNOWN})
          WHEN 'idle' THEN coalesce(round(${row}.mean_pct * 100), ${UNKNOWN}) ELSE 0 END)::float8`;
}

/** Returns the predicate of the filter `:idle` on rows with `mean_pct`. */
export function idleFilterSql(row: string): string {
  return `(:idle::boolean IS NULL OR (${row}.mean_pct < ${IDLE_BELOW_PCT}) = :idle::boolean)`;
}
