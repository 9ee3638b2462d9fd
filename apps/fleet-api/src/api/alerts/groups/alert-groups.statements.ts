import { SEVERITIES } from '@gpu-observatory/domain-types';
import { epochMsSql } from '../../../model/epoch-ms.sql.ts';
import { byRange, type Range, scansOf, TenantStatement, unionAll } from '../../access/tenant-statement.ts';
import { DATA_VERSION } from '../../data-version/data-version.ts';
import { type AlertRelation, alertScans, ALL_ALERTS } from '../alert-scans.sql.ts';
import { countedSql, type CountStatementParameters } from '../counts/alert-counts.statements.ts';
import { hasSelectedValues } from '../filters/alert-predicate.ts';
import type { SelectedValues } from '../value-fields.ts';

interface GroupParameters {
  groupBy: string;
  /** Maximum number of groups; null for all. */
  limit: number | null;
}
export type StoredGroupParameters = GroupParameters & CountStatementParameters;
export type RowGroupParameters = GroupParameters & SelectedValues & { from: Date; to: Date };

const dayText = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
const hourText = (at: string) => `to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:00:00.000"Z"')`;
/** Columns `n_0`, `n_1`, … with the number of alerts of each severity, by rank. */
const bySeverity = (columnOf: (column: string, rank: number) => string) =>
  SEVERITIES.map((_severity, rank) => `${columnOf(`n_${rank}`, rank)} AS n_${rank}`).join(', ');
const ALL_SEVERITIES = SEVERITIES.map((_severity, rank) => `g.n_${rank}`);
const IN_WINDOW = 'a.created_at >= :from::timestamptz AND a.created_at < :to::timestamptz';

/**
 * Returns a statement of the first groups and the totals of all.
 *
 * @param groups query of `key`, `n_<rank>`, `first_at` and `last_at`
 */
function groupsSql(withSql: string, groups: string): string {
  const n = ALL_SEVERITIES.join(' + ');
  const order = `CASE WHEN :groupBy::text IN ('day', 'hour') THEN g.key END DESC, ${n} DESC, g.key NULLS LAST`;
  const row = ['g.key', ...ALL_SEVERITIES, epochMsSql('g.first_at'), epochMsSql('g.last_at')].join(', ');
  return `${withSql === '' ? 'WITH' : `${withSql},`} groups AS MATERIALIZED (${groups})
    SELECT (SELECT coalesce(json_agg(first.row ORDER BY first.line), '[]') FROM (
        SELECT json_build_array(${row}) AS row, row_number() OVER (ORDER BY ${order}) AS line FROM groups g
        ORDER BY line LIMIT :limit::integer
      ) AS first) AS groups,
      (SELECT json_build_array(count(*), coalesce(sum(${n}), 0)) FROM groups g) AS totals,
      ${DATA_VERSION} AS data_version`;
}

const KEY_OF_ROW = `(CASE :groupBy::text WHEN 'host' THEN a.hostname WHEN 'workspace' THEN a.workspace_id::text
        WHEN 'gpu' THEN a.gpu_id WHEN 'day' THEN ${dayText('a.created_at')} WHEN 'hour' THEN ${hourText('a.created_at')}
        WHEN 'type' THEN a.type WHEN 'severity' THEN a.severity::text WHEN 'state' THEN a.state::text END) COLLATE "C"`;

/** Returns a query of the groups of the alerts in the window, each of which is read. */
function rowGroupsSql(alerts: AlertRelation, range: Range): string {
  const counted = alertScans(
    alerts,
    'a',
    range,
    (fromWhere) => `SELECT ${KEY_OF_ROW} AS key,
        ${bySeverity((_column, rank) => `count(*) FILTER (WHERE a.severity = ${rank})`)},
        min(a.created_at) AS first_at, max(a.created_at) AS last_at
      ${fromWhere} AND ${IN_WINDOW} AND ${hasSelectedValues('a')} AND ${alerts.textPredicate('a')} GROUP BY 1`,
  );
  return `SELECT part.key, ${bySeverity((column) => `sum(part.${column})::bigint`)},
      min(part.first_at) AS first_at, max(part.last_at) AS last_at
    FROM (${unionAll(counted)}) AS part GROUP BY part.key`;
}

/** Groups that stored counts have, and the alerts of one of them. */
const STORED_KEYS = {
  type: { column: 'c.type', alerts: 'a.type = k.type' },
  severity: { column: 'c.severity', alerts: 'a.severity = k.severity' },
  day: { column: 'c.bucket', alerts: `a.created_at >= k.day AND a.created_at < k.day + interval '1 day'` },
};
export type StoredGrouping = keyof typeof STORED_KEYS;

/** Returns a query of the groups from stored counts, each with its first and its last alert by an index of its order. */
function storedGroupsSql(range: Range): string {
  const keys = Object.entries(STORED_KEYS);
  const bounds = keys.flatMap(([name, { alerts }]) =>
    ['ASC', 'DESC'].flatMap((direction) =>
      scansOf(
        'a',
        range,
        (rows) => `SELECT a.created_at FROM fleet.alerts a
          WHERE ${rows} AND :groupBy::text = '${name}' AND ${alerts} AND ${IN_WINDOW} AND ${hasSelectedValues('a')}
          ORDER BY a.created_at ${direction} LIMIT 1`,
      ),
    ),
  );
  return `SELECT coalesce(k.type, k.severity::text, ${dayText('k.day')}) COLLATE "C" AS key,
      ${bySeverity((column) => `k.${column}`)}, bounds.first_at, bounds.last_at
    FROM (
      SELECT ${keys.map(([name, { column }]) => `CASE :groupBy::text WHEN '${name}' THEN ${column} END AS ${name}`).join(', ')},
        ${bySeverity((_column, rank) => `coalesce(sum(c.n) FILTER (WHERE c.severity = ${rank}), 0)::bigint`)}
      FROM (${countedSql({ by: ['severity', 'type'], inBuckets: true }, range)}) AS c
      GROUP BY 1, 2, 3 HAVING sum(c.n) <> 0
    ) AS k CROSS JOIN LATERAL (
      SELECT min(found.created_at) AS first_at, max(found.created_at) AS last_at FROM (${unionAll(bounds)}) AS found
    ) AS bounds`;
}

const rowGroups = (range: Range, alerts: AlertRelation) =>
  new TenantStatement<RowGroupParameters>(groupsSql(alerts.withSql, rowGroupsSql(alerts, range)), {
    isPrepared: false,
  });

/** Groups by type, severity or day: from stored counts. */
export const STORED_GROUPS: Record<Range, TenantStatement<StoredGroupParameters>> = byRange(
  (range) => new TenantStatement(groupsSql('', storedGroupsSql(range)), { isPrepared: false }),
);
/** Other groups, of which there are no counts with first and last alerts: by the alerts in the window. */
export const ROW_GROUPS: Record<Range, TenantStatement<RowGroupParameters>> = byRange((range) =>
  rowGroups(range, ALL_ALERTS),
);
/** Returns `ROW_GROUPS` of the alerts that satisfy text filters. */
export const groupsOfTexts = rowGroups;

export function isStored(groupBy: string): groupBy is StoredGrouping {
  return groupBy in STORED_KEYS;
}
