import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { epochMsSql } from '../../../model/epoch-ms.sql.ts';
import { type ScopedStatement, TenantDatabase } from '../../access/tenant-database.ts';
import {
  ALERT_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
  dataVersionsSql,
} from '../../data-version/data-version.ts';
import { type AlertSelection, queryOptions } from '../filters/alert-selection.ts';
import { indexRanges } from '../order/index-ranges.ts';
import { foundInScopes, planTextSearch, withSql } from '../text/text-search.ts';
import { countedSql, type Counting } from './alert-counts.sql.ts';
import type { BucketUnit } from './bucket-unit.ts';

/** The number of alerts of a severity, a state (both as ranks) and a type. A negative one corrects counts that are stored by type alone. */
export type CountRow = [severity: number, state: number, type: string, count: number];
/** The number of alerts of a severity (as a rank) in a bucket, which starts at `bucketMs` since the epoch. */
export type BucketRow = [bucketMs: number, severity: number, count: number];

export interface Counted<Row> {
  rows: Row[];
  data: DataVersion;
}

interface CountedRow<Row> {
  rows: Row[];
  data_versions: DataVersionRow[];
}

@Injectable()
export class AlertCountsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /**
   * Counts by severity, state and type, ignoring the filters on these three. Without such filters, counts by type can be rows of
   * their own, without severity and state.
   */
  async counts(access: Access, selection: AlertSelection): Promise<Counted<CountRow>> {
    const { severity, state, type } = selection;
    const typesApart = severity === null && state === null && type === null;
    return this.counted<CountRow>(
      access,
      selection,
      { allMembers: true, typesApart },
      (statement, counting) => `
        SELECT coalesce(json_agg(json_build_array(found.severity, found.state, found.type, found.n)), '[]') AS rows,
          (${dataVersionsSql(statement)}) AS data_versions
        FROM (
          SELECT counted.severity, counted.state, counted.type, sum(counted.n) AS n
          FROM (${countedSql(statement, selection, counting)}) AS counted
          GROUP BY counted.severity, counted.state, counted.type HAVING sum(counted.n) <> 0
        ) AS found`,
    );
  }

  /** Counts the selected alerts by bucket, then severity. */
  async buckets(access: Access, selection: AlertSelection, unit: BucketUnit): Promise<Counted<BucketRow>> {
    return this.counted<BucketRow>(
      access,
      selection,
      { by: ['severity'], unit },
      (statement, counting) => `
        SELECT coalesce(json_agg(json_build_array(${epochMsSql('found.bucket')}, found.severity, found.n)
            ORDER BY found.bucket, found.severity), '[]') AS rows,
          (${dataVersionsSql(statement)}) AS data_versions
        FROM (
          SELECT counted.bucket, counted.severity, sum(counted.n) AS n
          FROM (${countedSql(statement, selection, counting)}) AS counted
          GROUP BY counted.bucket, counted.severity HAVING sum(counted.n) > 0
        ) AS found`,
    );
  }

  /** Adds up the counts of all statements. */
  private async counted<Row extends CountRow | BucketRow>(
    access: Access,
    selection: AlertSelection,
    counting: Counting,
    build: (statement: ScopedStatement, counting: Counting) => string,
  ): Promise<Counted<Row>> {
    const options = queryOptions(selection);
    const conditions = await planTextSearch(
      (sample) => this.tenants.query(access, sample, options),
      selection,
      Infinity,
    );
    const parts = await this.tenants.query<CountedRow<Row>>(
      access,
      (statement) => {
        const found = foundInScopes(statement, selection, conditions);
        const sql = build(statement, { ...counting, found: found.map(({ name }) => name) });
        return `${withSql(found)} ${sql}`;
      },
      options,
    );
    const rows = parts.flatMap((part) => part.rows);
    return { rows: parts.length > 1 ? added(rows) : rows, data: dataVersionOf(parts, ALERT_DATA) };
  }

  /** Returns the creation time of the first alert in scope, ignoring filters; null without alerts. */
  async earliestMs(access: Access, { scope }: AlertSelection): Promise<number | null> {
    const rows = await this.tenants.query<{ earliest: Date | null }>(
      access,
      (statement) => {
        const firsts = statement.scopes.flatMap((scope) => {
          return indexRanges(scope).map((range) => {
            const rows = statement.rowsOf(range, 'a');
            return `(SELECT a.created_at FROM fleet.alerts a WHERE ${rows} ORDER BY a.created_at LIMIT 1)`;
          });
        });
        return `SELECT min(firsts.created_at) AS earliest FROM (${firsts.join(' UNION ALL ')}) AS firsts`;
      },
      { filter: scope },
    );
    const times = rows.flatMap(({ earliest }) => earliest?.getTime() ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }
}

/** Adds up rows that are equal except for their count, in the order of their keys. */
function added<Row extends CountRow | BucketRow>(rows: readonly Row[]): Row[] {
  const counts = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify(row.slice(0, -1));
    const n = Number(counts.get(key)?.at(-1) ?? 0) + Number(row.at(-1));
    counts.set(key, [...row.slice(0, -1), n] as Row);
  }
  return [...counts.values()].sort(([a0, a1], [b0, b1]) => a0 - b0 || a1 - b1);
}
