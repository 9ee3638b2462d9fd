import { SEVERITIES } from '@gpu-observatory/domain-types';
import type { Range } from '../../access/access-scope.ts';
import { byRange, scansOf, unionAll } from '../../access/scope.sql.ts';
import { TenantStatement } from '../../access/tenant-statement.ts';
import { DATA_VERSION } from '../../data-version/data-version.ts';
import { timestampSql } from '../../timestamp.sql.ts';
import { type AlertRelation, alertScans, ALL_ALERTS } from '../alert-relations.sql.ts';
import { countedSql } from '../counts/counted-alerts.sql.ts';
import type { CountStatementParameters } from '../counts/stored-counts.ts';
import { SELECTED_VALUES } from '../filters/alert-predicate.ts';
import { IN_WINDOW, type SelectionParameters } from '../filters/alert-selection.ts';
import type { AlertGrouping } from './alert-groups.dto.ts';

interface GroupParameters {
  groupBy: AlertGrouping;
  /** Maximum number of groups; null for all. */
  limit: number | null;
}
type StoredGroupParameters = GroupParameters & CountStatementParameters;
type RowGroupParameters = GroupParameters & SelectionParameters;

const dayTextSql = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
const hourTextSql = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:00:00.000"Z"')`;

/** Returns the columns `n_0`, `n_1`, …: the number of alerts of the severity with this rank. */
const severityCountsSql = (valueOf: (column: string, rank: number) => string) =>
  SEVERITIES.map((_severity, rank) => `${valueOf(`n_${rank}`, rank)} AS n_${rank}`).join(', ');

/**
 * Returns the text of a statement of a `GroupsRow`: the first groups, and the totals of all groups.
 *
 * @param withSql WITH clause of the relations in `groups`; empty if there are none
 * @param groups query of `key`, the columns of `severityCountsSql`, `first_at` and `last_at`
 */
function groupsSql(withSql: string, groups: string): string {
  const n = SEVERITIES.map((_severity, rank) => `g.n_${rank}`).join(' + ');
  const bySeverity = SEVERITIES.map((severity, rank) => `'${severity}', g.n_${rank}`).join(', ');
  const order = `CASE WHEN :groupBy::text IN ('day', 'hour') THEN g.key END DESC, ${n} DESC, g.key NULLS LAST`;
  return `${withSql === '' ? 'WITH' : `${withSql},`} groups AS MATERIALIZED (${groups})
    SELECT (SELECT coalesce(json_agg(first.row ORDER BY first.line), '[]') FROM (
        SELECT json_build_object('customer_id', :customer::integer, 'key', g.key, 'count', ${n}, 'by_severity', json_build_object(${bySeverity}),
            'first_at', ${timestampSql('g.first_at')}, 'last_at', ${timestampSql('g.last_at')}) AS row, row_number() OVER (ORDER BY ${order}) AS line FROM groups g
        ORDER BY line LIMIT :limit::integer
      ) AS first) AS groups,
      (SELECT json_build_array(count(*), coalesce(sum(${n}), 0)) FROM groups g) AS totals,
      ${DATA_VERSION} AS data_version`;
}

const KEY_OF_ROW = `(CASE :groupBy::text WHEN 'host' THEN a.hostname WHEN 'workspace' THEN a.workspace_id::text
        WHEN 'gpu' THEN a.gpu_id WHEN 'day' THEN ${dayTextSql('a.created_at')} WHEN 'hour' THEN ${hourTextSql('a.created_at')}
        WHEN 'type' THEN a.type WHEN 'severity' THEN a.severity::text WHEN 'state' THEN a.state::text END) COLLATE "C"`;

/** Returns a query of the groups that reads every alert in the window. */
function rowGroupsSql(alerts: AlertRelation): string {
  const parts = alertScans(
    alerts,
    (fromWhere) => `SELECT ${KEY_OF_ROW} AS key,
        ${severityCountsSql((_column, rank) => `count(*) FILTER (WHERE a.severity = ${rank})`)},
        min(a.created_at) AS first_at, max(a.created_at) AS last_at
      ${fromWhere} AND ${IN_WINDOW} AND ${SELECTED_VALUES} GROUP BY 1`,
  );
  return `SELECT part.key, ${severityCountsSql((column) => `sum(part.${column})::bigint`)},
      min(part.first_at) AS first_at, max(part.last_at) AS last_at
    FROM (${unionAll(parts)}) AS part GROUP BY part.key`;
}

/** Groupings of stored counts `c`: the column of the key, and the predicate of the alerts `a` in a group `k`. */
const STORED_GROUPINGS = {
  type: { key: 'c.type', inGroupSql: 'a.type = k.type' },
  severity: { key: 'c.severity', inGroupSql: 'a.severity = k.severity' },
  day: { key: 'c.bucket', inGroupSql: `a.created_at >= k.day AND a.created_at < k.day + interval '1 day'` },
};
type StoredGrouping = keyof typeof STORED_GROUPINGS;

/**
 * Returns a query of the groups from stored counts. An index finds the first and the last alert of each group. A group `k` has its key
 * in the column of the grouping, and null in the other two.
 */
function storedGroupsSql(range: Range): string {
  const groupings = Object.entries(STORED_GROUPINGS);
  const keys = groupings.map(
    ([name, { key }]) => `CASE :groupBy::text WHEN '${name}' THEN ${key} END AS ${name}`,
  );
  const bounds = groupings.flatMap(([name, { inGroupSql }]) =>
    ['ASC', 'DESC'].flatMap((direction) =>
      scansOf(
        'a',
        range,
        (rows) => `SELECT a.created_at FROM fleet.alerts a
          WHERE ${rows} AND :groupBy::text = '${name}' AND ${inGroupSql} AND ${IN_WINDOW} AND ${SELECTED_VALUES}
          ORDER BY a.created_at ${direction} LIMIT 1`,
      ),
    ),
  );
  return `SELECT coalesce(k.type, k.severity::text, ${dayTextSql('k.day')}) COLLATE "C" AS key,
      ${severityCountsSql((column) => `k.${column}`)}, bounds.first_at, bounds.last_at
    FROM (
      SELECT ${keys.join(', ')},
        ${severityCountsSql((_column, rank) => `coalesce(sum(c.n) FILTER (WHERE c.severity = ${rank}), 0)::bigint`)}
      FROM (${countedSql({ groupedBy: ['severity', 'type'], inBuckets: true }, range)}) AS c
      GROUP BY 1, 2, 3 HAVING sum(c.n) <> 0
    ) AS k CROSS JOIN LATERAL (
      SELECT min(found.created_at) AS first_at, max(found.created_at) AS last_at FROM (${unionAll(bounds)}) AS found
    ) AS bounds`;
}

/** Groups by type, severity or day, from stored counts. */
export const STORED_GROUPS: Record<Range, TenantStatement<StoredGroupParameters>> = byRange(
  (range) => new TenantStatement(groupsSql('', storedGroupsSql(range)), { isPrepared: false }),
);

/** Returns a statement of groups by any key, or with text filters. It reads every alert in the window. */
export function rowGroupsStatement(alerts: AlertRelation): TenantStatement<RowGroupParameters> {
  return new TenantStatement(groupsSql(alerts.withSql, rowGroupsSql(alerts)), { isPrepared: false });
}
export const ROW_GROUPS = byRange((range) => rowGroupsStatement(ALL_ALERTS[range]));

/** Returns whether the groups can be read from stored counts. */
export function isStored(groupBy: AlertGrouping): groupBy is StoredGrouping {
  return groupBy in STORED_GROUPINGS;
}
