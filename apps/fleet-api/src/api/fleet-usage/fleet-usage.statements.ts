import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { USAGE, type UsageParameters } from '../../model/gpu-days/usage.sql.ts';
import { inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { DATA_VERSION } from '../data-version/data-version.ts';
import type { UsageGrouping, UsageSort } from './fleet-usage.dto.ts';
import { SORT_FIELDS, USAGE_FIELDS } from './usage-groups.ts';

interface FleetUsageParameters extends UsageParameters {
  groupBy: UsageGrouping;
  sort: UsageSort;
  /** Maximum number of groups; null for all. */
  limit: number | null;
  from: Date;
  to: Date;
}

/** Returns the fields of `UsageModel` for `json_build_object`. */
const fieldsSql = (sqlOf: (field: (typeof USAGE_FIELDS)[number]) => string) =>
  USAGE_FIELDS.map((field) => `'${field}', ${sqlOf(field)}`).join(', ');

/** Number of half hours of the window since the GPU `g` was first seen, or since its first sample in the window if that is earlier. */
const EXPECTED = `greatest(0, date_part('epoch', :to::timestamptz - greatest(:from::timestamptz,
        date_bin('30 minutes', least(g.first_seen, u.first_at), '1970-01-01T00:00:00Z'::timestamptz))) / ${HALF_HOUR_MS / 1_000})`;

/** Order of the groups `s`: by the field of the sort, largest first, then by key. */
const ORDER_BY = `CASE :sort::text ${Object.entries(SORT_FIELDS)
  .map(([sort, field]) => `WHEN '${sort}' THEN s.${field}`)
  .join(' ')} END DESC NULLS LAST, CASE :groupBy::text WHEN 'workspace' THEN s.key::integer END, s.key`;

/**
 * The usage of GPUs by workspace, model or host: the first groups, and the totals of all. Each GPU is one range of the
 * primary key of `fleet.gpu_day_sums`, and at most two rows of `fleet.gpu_days`.
 */
export const FLEET_USAGE = new TenantStatement<FleetUsageParameters>(
  `WITH sums AS MATERIALIZED (
      SELECT (CASE :groupBy::text WHEN 'workspace' THEN g.workspace_id::text WHEN 'model' THEN g.model
          WHEN 'host' THEN g.hostname END) COLLATE "C" AS key,
        count(*) AS gpu_count, sum(${EXPECTED}) AS expected_half_hours, sum(u.sampled_half_hours)::float8 AS sampled_half_hours,
        sum(u.utilization_half_hours)::float8 AS measured_half_hours, sum(u.busy_half_hours) AS busy_half_hours,
        CASE WHEN sum(u.power_half_hours) > 0 THEN sum(u.watt_half_hours) END AS watt_half_hours
      FROM fleet.gpus g CROSS JOIN LATERAL (${USAGE}) AS u
      WHERE ${inScopeSql('g')} AND (g.has_telemetry AND g.first_seen < :to::timestamptz OR u.sampled_half_hours > 0)
      GROUP BY 1
    ), usage AS (
      SELECT h.key, h.gpu_count, h.busy_half_hours * 0.5 AS busy_gpu_hours,
        (h.measured_half_hours - h.busy_half_hours) * 0.5 AS idle_gpu_hours,
        (h.expected_half_hours - h.sampled_half_hours) * 0.5 AS missing_gpu_hours,
        (h.sampled_half_hours - h.measured_half_hours) * 0.5 AS unmeasured_gpu_hours,
        h.watt_half_hours * 0.5 / 1000 AS energy_kwh
      FROM sums h
    )
    SELECT :customer::integer AS customer_id, (SELECT coalesce(json_agg(first.row ORDER BY first.line), '[]') FROM (
        SELECT json_build_object('key', s.key, ${fieldsSql((field) => `s.${field}`)}) AS row, row_number() OVER (ORDER BY ${ORDER_BY}) AS line
        FROM usage s ORDER BY line LIMIT :limit::integer
      ) AS first) AS groups,
      (SELECT json_build_object('group_count', count(*), ${fieldsSql((field) => (field === 'energy_kwh' ? `sum(s.${field})` : `coalesce(sum(s.${field}), 0)`))})
        FROM usage s) AS total,
      ${DATA_VERSION} AS data_version`,
  { isPrepared: false },
);
