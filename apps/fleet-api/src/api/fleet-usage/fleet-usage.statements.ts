import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { USAGE, type UsageParameters } from '../../model/gpu-days/usage.sql.ts';
import { inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { DATA_VERSION } from '../data-version/data-version.ts';
import type { UsageGrouping, UsageSort } from './fleet-usage.dto.ts';
import { USAGE_SUMS } from './usage-sums.ts';

export interface FleetUsageParameters extends UsageParameters {
  groupBy: UsageGrouping;
  sort: UsageSort;
  /** Maximum number of groups; null for all. */
  limit: number | null;
  from: Date;
  to: Date;
}

/** Returns a list of expressions, one per column of `USAGE_SUMS`. */
const listOfSums = (sqlOf: (column: string) => string) => USAGE_SUMS.map(sqlOf).join(', ');

/** Number of half hours of the window since the GPU `g` was first seen, or since its first sample in the window if that is earlier. */
const EXPECTED = `greatest(0, date_part('epoch', :to::timestamptz - greatest(:from::timestamptz,
        date_bin('30 minutes', least(g.first_seen, u.first_at), '1970-01-01T00:00:00Z'::timestamptz))) / ${HALF_HOUR_MS / 1_000})`;

/** Order of the groups `s`: by the value of the sort (`SORT_VALUES`), largest first, then by key. */
const ORDER_BY = `CASE :sort::text WHEN 'idle' THEN s.utilization_half_hours - s.busy_half_hours WHEN 'busy' THEN s.busy_half_hours
        WHEN 'missing' THEN s.expected_half_hours - s.sampled_half_hours WHEN 'energy' THEN CASE WHEN s.power_half_hours > 0 THEN s.watt_half_hours END
        WHEN 'gpus' THEN s.gpus END DESC NULLS LAST, CASE :groupBy::text WHEN 'workspace' THEN s.key::integer END, s.key`;

/**
 * Sums of the usage of GPUs by workspace, model or host: the first groups, and the totals of all. Each GPU is one range of the
 * primary key of `fleet.gpu_day_sums`, and at most two rows of `fleet.gpu_days`.
 */
export const FLEET_USAGE = new TenantStatement<FleetUsageParameters>(
  `WITH sums AS MATERIALIZED (
      SELECT (CASE :groupBy::text WHEN 'workspace' THEN g.workspace_id::text WHEN 'model' THEN g.model
          WHEN 'host' THEN g.hostname END) COLLATE "C" AS key,
        count(*)::float8 AS gpus, sum(${EXPECTED}) AS expected_half_hours,
        sum(u.sampled_half_hours)::float8 AS sampled_half_hours,
        sum(u.utilization_half_hours)::float8 AS utilization_half_hours, sum(u.busy_half_hours) AS busy_half_hours,
        sum(u.power_half_hours)::float8 AS power_half_hours, sum(u.watt_half_hours) AS watt_half_hours
      FROM fleet.gpus g CROSS JOIN LATERAL (${USAGE}) AS u
      WHERE ${inScopeSql('g')} AND (g.has_telemetry AND g.first_seen < :to::timestamptz OR u.sampled_half_hours > 0)
      GROUP BY 1
    )
    SELECT (SELECT coalesce(json_agg(first.row ORDER BY first.line), '[]') FROM (
        SELECT json_build_array(s.key, ${listOfSums((column) => `s.${column}`)}) AS row, row_number() OVER (ORDER BY ${ORDER_BY}) AS line
        FROM sums s ORDER BY line LIMIT :limit::integer
      ) AS first) AS groups,
      (SELECT json_build_array(count(*), ${listOfSums((column) => `coalesce(sum(s.${column}), 0)`)}) FROM sums s) AS totals,
      ${DATA_VERSION} AS data_version`,
  { isPrepared: false },
);
