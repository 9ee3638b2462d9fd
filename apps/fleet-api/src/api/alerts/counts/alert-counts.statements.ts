import { ANY_RANK, ANY_TYPE } from '../../../model/alerts/alert-count-scope.ts';
import { epochMsSql } from '../../../model/epoch-ms.sql.ts';
import type { Range } from '../../access/access-scope.ts';
import { byRange, scansOf, unionAll } from '../../access/scope.sql.ts';
import { TenantStatement } from '../../access/tenant-statement.ts';
import { DATA_VERSION } from '../../data-version/data-version.ts';
import type { AlertRelation } from '../alert-relations.sql.ts';
import { type CountColumns, countedSql, countOfRowsSql, totalSql } from './counted-alerts.sql.ts';
import type { CountStatementParameters } from './stored-counts.ts';

type CountStatement = TenantStatement<CountStatementParameters>;

/** `summary`: counts by severity, state and type. `trend`: counts by bucket and severity. */
export type CountKind = 'summary' | 'trend';

const COLUMNS: Record<CountKind, CountColumns> = {
  summary: { groupedBy: ['severity', 'state', 'type'] },
  trend: { groupedBy: ['severity'], inBuckets: true },
};

/** The counts of each kind, with the ranks of severities and states. Start of a bucket in ms since the epoch. */
export interface CountRows {
  /**
   * Null stands for any value. Counts of equal values add up: a count may be negative, to correct another one that includes alerts
   * outside the window.
   */
  summary: [severity: number | null, state: number | null, type: string | null, count: number];
  trend: [bucketMs: number, severity: number, count: number];
}

/** Functions that return a statement which adds up the rows of `counted`, a query of `countedSql` or `countOfRowsSql`. */
const STATEMENT_SQL: Record<CountKind, (counted: string) => string> = {
  summary: (counted) =>
    `SELECT coalesce(json_agg(json_build_array(nullif(found.severity, ${ANY_RANK}), nullif(found.state, ${ANY_RANK}),
        nullif(found.type, '${ANY_TYPE}'), found.n)), '[]') AS rows,
      ${DATA_VERSION} AS data_version
    FROM (
      SELECT counted.severity, counted.state, counted.type, sum(counted.n) AS n FROM (${counted}) AS counted
      GROUP BY counted.severity, counted.state, counted.type HAVING sum(counted.n) <> 0
    ) AS found`,
  trend: (counted) =>
    `SELECT coalesce(json_agg(json_build_array(${epochMsSql('found.bucket')}, found.severity, found.n)
        ORDER BY found.bucket, found.severity), '[]') AS rows,
      ${DATA_VERSION} AS data_version
    FROM (
      SELECT counted.bucket, counted.severity, sum(counted.n) AS n FROM (${counted}) AS counted
      GROUP BY counted.bucket, counted.severity HAVING sum(counted.n) > 0
    ) AS found`,
};

const countsOf = (kind: CountKind): Record<Range, CountStatement> =>
  byRange((range) => new TenantStatement(STATEMENT_SQL[kind](countedSql(COLUMNS[kind], range))));

/** Statements that read ranges of the primary key of `fleet.alert_counts`, and the alerts at the edges of the window. */
export const COUNTS = { summary: countsOf('summary'), trend: countsOf('trend') };
/** Statements of the number of selected alerts. */
export const TOTAL: Record<Range, CountStatement> = byRange(
  (range) =>
    new TenantStatement(`SELECT ${totalSql(countedSql({ groupedBy: [] }, range))} AS total`, {
      isPrepared: range !== 'apiKey',
    }),
);

/** Returns a statement as in `COUNTS`, with text filters. It counts the alerts, because stored counts do not include texts. */
export function countsWithTextFilters(kind: CountKind, alerts: AlertRelation): CountStatement {
  const counted = countOfRowsSql(COLUMNS[kind], alerts);
  return new TenantStatement(`${alerts.withSql} ${STATEMENT_SQL[kind](counted)}`, { isPrepared: false });
}

/** Creation time of the first alert in scope, by `alerts_newest`, `alerts_newest_of_workspace` or `alerts_of_key`. */
export const EARLIEST: Record<Range, TenantStatement> = byRange((range) => {
  const firsts = scansOf(
    'a',
    range,
    (rows) => `SELECT a.created_at FROM fleet.alerts a WHERE ${rows} ORDER BY a.created_at LIMIT 1`,
  );
  return new TenantStatement(
    `SELECT min(firsts.created_at) AS earliest FROM (${unionAll(firsts)}) AS firsts`,
    { isPrepared: range !== 'apiKey' },
  );
});
