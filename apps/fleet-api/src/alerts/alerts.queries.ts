import { Injectable } from '@nestjs/common';
import { type Access, isUuid } from '@gpu-observatory/domain-types';
import { z } from 'zod';
import type { Branch } from '../access/scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import {
  type DataVersion,
  dataVersionOf,
  type PositionRow,
  positionsSql,
} from '../freshness/data-version.ts';
import { LATEST_MS, type PageToken } from '../paging/page-token.ts';

/** The sort key of the default order: milliseconds since the epoch, and the id. */
export type NewestFirstKey = [createdAtMs: number, id: string];
export const newestFirstKey: z.ZodType<NewestFirstKey> = z.tuple([
  z.number().int().min(0).max(LATEST_MS),
  z.string().refine(isUuid),
]);

/** One page as PostgreSQL puts it together. */
export interface AlertPage {
  /** The list items' JSON, separated by commas; empty when there are none. */
  docs: string;
  /** Whether rows follow. */
  more: boolean;
  last: NewestFirstKey | null;
  /** The data that it was made of. */
  data: DataVersion;
  /** How many alerts there are in all; null on later pages. */
  total: number | null;
}

interface PageRow {
  docs: string | null;
  more: boolean;
  last_ms: number | null;
  last_id: string | null;
  positions: PositionRow[] | null;
  total: number | null;
}

/** Reads pages of alerts, newest first. */
@Injectable()
export class AlertsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** The first page: what is there now, and the positions that make later pages serve the same. */
  async firstPage(access: Access, size: number): Promise<AlertPage> {
    const [row] = await this.tenants.query<PageRow>(access, (statement) => {
      const limit = `${statement.value(size)}::integer`;
      const sources = indexRanges(statement).map(
        (rows) => `SELECT a.created_at, a.id, a.doc FROM fleet.alerts a WHERE ${rows('a')}`,
      );
      return `${pageSql(sources, limit)},
        (${positionsSql(statement)}) AS positions,
        (SELECT coalesce(sum(c.n), 0)::bigint FROM fleet.alert_counts c
         WHERE c.grain = 0 AND ${statement.counts('c')}) AS total
        FROM page`;
    });
    return { ...toPage(row), total: row?.total ?? 0 };
  }

  /**
   * A later page, as of the walk's beginning: rows that have not changed since, and what the changed ones were. The two
   * never hold the same alert, so each is served once.
   */
  async nextPage(access: Access, size: number, token: PageToken<NewestFirstKey>): Promise<AlertPage> {
    const [afterMs, afterId] = token.after;
    const seqOf = new Map(token.data.positions);
    const [row] = await this.tenants.query<PageRow>(access, (statement) => {
      const limit = `${statement.value(size)}::integer`;
      const after = `${statement.value(new Date(afterMs))}::timestamptz`;
      const id = `${statement.value(afterId)}::uuid`;
      const follows = (alias: string) =>
        `${alias}.created_at <= ${after} AND (${alias}.created_at < ${after} OR ${alias}.id > ${id})`;
      const sources = indexRanges(statement).flatMap((rows) => {
        const seq = `${statement.value(seqOf.get(rows.branch.customerId) ?? 0)}::bigint`;
        return [
          `SELECT a.created_at, a.id, a.doc FROM fleet.alerts a
           WHERE ${rows('a')} AND a.seq <= ${seq} AND a.state_seq <= ${seq} AND ${follows('a')}`,
          `SELECT s.created_at, s.id, s.doc FROM fleet.alert_past_states s
           WHERE ${rows('s')} AND s.seq <= ${seq} AND s.since_seq <= ${seq} AND s.until_seq > ${seq} AND ${follows('s')}`,
        ];
      });
      return `${pageSql(sources, limit)}, NULL::json AS positions, NULL::bigint AS total FROM page`;
    });
    return { ...toPage(row), data: token.data };
  }
}

/** The predicate of one range of an index, for a table's alias. */
interface IndexRange {
  (alias: string): string;
  branch: Branch;
}

/**
 * One for each customer, or for each of its listed workspaces: each is read in the order of its own index and only as far
 * as the page needs.
 */
function indexRanges(statement: ScopedStatement): IndexRange[] {
  return statement.branches.flatMap((branch) => {
    const single: Branch[] =
      branch.workspaceIds === 'all'
        ? [branch]
        : branch.workspaceIds.map((workspaceId) => ({ ...branch, workspaceIds: [workspaceId] }));
    return single.map((one) =>
      Object.assign((alias: string) => statement.branch(one, alias), { branch: one }),
    );
  });
}

/** Merges the sources, each cut to the page and one row more, and puts the page's text together. */
function pageSql(sources: string[], limit: string): string {
  const order = 'ORDER BY created_at DESC, id';
  const merged = sources.map((source) => `(${source} ${order} LIMIT ${limit} + 1)`).join(' UNION ALL ');
  return `WITH page AS (
      SELECT created_at, id, doc, row_number() OVER (${order}) AS place
      FROM (${merged}) AS rows ${order} LIMIT ${limit} + 1
    )
    SELECT string_agg(doc, ',' ORDER BY place) FILTER (WHERE place <= ${limit}) AS docs,
      coalesce(bool_or(place > ${limit}), false) AS more,
      max((extract(epoch FROM created_at) * 1000)::bigint) FILTER (WHERE place = ${limit}) AS last_ms,
      (max(id::text) FILTER (WHERE place = ${limit})) AS last_id`;
}

/** Without a row the caller may see nothing. */
function toPage(row: PageRow | undefined): AlertPage {
  return {
    docs: row?.docs ?? '',
    more: row?.more ?? false,
    last: row && row.last_ms !== null && row.last_id !== null ? [row.last_ms, row.last_id] : null,
    data: dataVersionOf(row?.positions ?? []),
    total: row?.total ?? null,
  };
}
