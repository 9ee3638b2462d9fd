import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { TenantDatabase } from '../../access/tenant-database.ts';
import {
  type DataVersion,
  dataVersionOf,
  type PositionRow,
  positionsSql,
} from '../../data-version/data-version.ts';
import { type AlertSelection, queryOptions } from '../filters/alert-selection.ts';
import { indexRangesOf } from '../order/index-ranges.ts';
import { type BucketUnit, countedSql } from './alert-counts.sql.ts';

/** How many alerts there are of a severity, a state (both as ranks) and a type. */
export type CountRow = [severity: number, state: number, type: string, count: number];
/** How many alerts of a severity (its rank) a bucket has; it begins at milliseconds since the epoch. */
export type BucketRow = [bucketMs: number, severity: number, count: number];

/** Counts, and the data that they were made of. */
export interface Counted<Row> {
  rows: Row[];
  data: DataVersion;
}

interface CountedRow<Row> {
  rows: Row[];
  positions: PositionRow[];
}

/** Reads how many alerts there are. */
@Injectable()
export class AlertCountsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** All within the window and the texts, by severity, state and type: the query's own choice of these is not applied. */
  async counts(access: Access, selection: AlertSelection): Promise<Counted<CountRow>> {
    const [row] = await this.tenants.query<CountedRow<CountRow>>(
      access,
      (statement) => `
        SELECT coalesce(json_agg(json_build_array(found.severity, found.state, found.type, found.n)), '[]') AS rows,
          (${positionsSql(statement)}) AS positions
        FROM (
          SELECT counted.severity, counted.state, counted.type, sum(counted.n) AS n
          FROM (${countedSql(statement, selection, { whole: true })}) AS counted
          GROUP BY counted.severity, counted.state, counted.type HAVING sum(counted.n) > 0
        ) AS found`,
      queryOptions(selection),
    );
    return toCounted(row);
  }

  /** The selected alerts by bucket, then severity. */
  async buckets(access: Access, selection: AlertSelection, unit: BucketUnit): Promise<Counted<BucketRow>> {
    const [row] = await this.tenants.query<CountedRow<BucketRow>>(
      access,
      (statement) => `
        SELECT coalesce(json_agg(json_build_array((extract(epoch FROM found.bucket) * 1000)::bigint, found.severity, found.n)
            ORDER BY found.bucket, found.severity), '[]') AS rows,
          (${positionsSql(statement)}) AS positions
        FROM (
          SELECT counted.bucket, counted.severity, sum(counted.n) AS n
          FROM (${countedSql(statement, selection, { by: ['severity'], unit })}) AS counted
          GROUP BY counted.bucket, counted.severity HAVING sum(counted.n) > 0
        ) AS found`,
      queryOptions(selection),
    );
    return toCounted(row);
  }

  /** When the first alert in scope was created, whatever the filters; null when there is none. */
  async earliestMs(access: Access, { scope }: AlertSelection): Promise<number | null> {
    const [row] = await this.tenants.query<{ earliest: Date | null }>(
      access,
      (statement) => {
        const firsts = statement.branches.flatMap((branch) => {
          return indexRangesOf(branch).map((range) => {
            const rows = statement.branch(range, 'a');
            return `(SELECT a.created_at FROM fleet.alerts a WHERE ${rows} ORDER BY a.created_at LIMIT 1)`;
          });
        });
        return `SELECT min(firsts.created_at) AS earliest FROM (${firsts.join(' UNION ALL ')}) AS firsts`;
      },
      { filter: scope },
    );
    return row?.earliest?.getTime() ?? null;
  }
}

/** Without a row the caller may see nothing. */
function toCounted<Row>(row: CountedRow<Row> | undefined): Counted<Row> {
  return { rows: row?.rows ?? [], data: dataVersionOf(row?.positions ?? []) };
}
