import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import type { Branch } from '../access/scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import {
  type DataVersion,
  dataVersionOf,
  type PositionRow,
  positionsSql,
} from '../freshness/data-version.ts';
import type { PageToken } from '../paging/page-token.ts';
import { countedSql } from './counts/counted-sql.ts';
import type { AlertSort, SortKey } from './order/alert-sorts.ts';
import { laneField, pageOrder, type PageOrder } from './order/page-order.ts';
import { alertPredicate } from './selection/alert-predicate.ts';
import { type AlertSelection, queryOptions } from './selection/alert-selection.ts';

/** What a list is asked for, beside the page. */
export interface AlertListing {
  selection: AlertSelection;
  sort: AlertSort;
}

/** One page as PostgreSQL puts it together. */
export interface AlertPage {
  /** The list items' JSON, separated by commas; empty when there are none. */
  docs: string;
  /** Whether rows follow. */
  more: boolean;
  last: SortKey | null;
  /** The data that it was made of. */
  data: DataVersion;
  /** How many alerts there are in all; null on later pages. */
  total: number | null;
}

interface PageRow {
  docs: string | null;
  more: boolean;
  last_leading: string | null;
  last_ms: number | null;
  last_id: string | null;
  positions: PositionRow[] | null;
  total: number | null;
}

/** Reads pages of alerts. */
@Injectable()
export class AlertsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** The first page: what is there now, and the positions that make later pages serve the same. */
  async firstPage(access: Access, { selection, sort }: AlertListing, size: number): Promise<AlertPage> {
    let order: PageOrder | undefined;
    const [row] = await this.tenants.query<PageRow>(
      access,
      (statement) => {
        const limit = `${statement.value(size)}::integer`;
        const matches = alertPredicate(statement, selection);
        const chosen = (order = pageOrder(statement, sort, selection, limit, null));
        const sources = indexRanges(statement, { selection, sort }).flatMap((range) => {
          return chosen.sources(
            'fleet.alerts',
            (alias) => `${statement.branch(range, alias)} AND ${matches(alias)}`,
          );
        });
        return `${pageSql(sources, chosen, limit)},
          (${positionsSql(statement)}) AS positions,
          (SELECT coalesce(sum(counted.n), 0)::bigint FROM (${countedSql(statement, selection)}) AS counted) AS total
          FROM page`;
      },
      queryOptions(selection),
    );
    return { ...toPage(row, order), total: row?.total ?? 0 };
  }

  /**
   * A later page, as of the walk's beginning: rows that have not changed since, and what the changed ones were. The two
   * never hold the same alert, so each is served once.
   */
  async nextPage(
    access: Access,
    { selection, sort }: AlertListing,
    size: number,
    token: PageToken<SortKey>,
  ): Promise<AlertPage> {
    let order: PageOrder | undefined;
    const seqOf = new Map(token.data.positions);
    const [row] = await this.tenants.query<PageRow>(
      access,
      (statement) => {
        const limit = `${statement.value(size)}::integer`;
        const matches = alertPredicate(statement, selection);
        const chosen = (order = pageOrder(statement, sort, selection, limit, token.after));
        const sources = indexRanges(statement, { selection, sort }).flatMap((range) => {
          const seq = `${statement.value(seqOf.get(range.customerId) ?? 0)}::bigint`;
          const rows = (alias: string) =>
            `${statement.branch(range, alias)} AND ${matches(alias)} AND ${alias}.seq <= ${seq}`;
          return [
            ...chosen.sources('fleet.alerts', (alias) => `${rows(alias)} AND ${alias}.state_seq <= ${seq}`),
            ...chosen.sources(
              'fleet.alert_past_states',
              (alias) => `${rows(alias)} AND ${alias}.since_seq <= ${seq} AND ${alias}.until_seq > ${seq}`,
            ),
          ];
        });
        return `${pageSql(sources, chosen, limit)}, NULL::json AS positions, NULL::bigint AS total FROM page`;
      },
      queryOptions(selection),
    );
    return { ...toPage(row, order), data: token.data };
  }
}

/**
 * One for each customer; by time alone, one for each listed workspace: each is read in the order of its own index and
 * only as far as the page needs.
 */
function indexRanges(statement: ScopedStatement, { selection, sort }: AlertListing): Branch[] {
  const byTimeAlone = sort.field === 'timestamp' && laneField(selection) === null;
  return statement.branches.flatMap((branch): Branch[] => {
    if (branch.workspaceIds === 'all' || !byTimeAlone) return [branch];
    return branch.workspaceIds.map((workspaceId) => ({ ...branch, workspaceIds: [workspaceId] }));
  });
}

/** Merges the sources, each cut to the page and one row more, and puts the page's text together. */
function pageSql(sources: string[], { leading, orderBy }: PageOrder, limit: string): string {
  const merged = sources.map((source) => `(${source})`).join(' UNION ALL ');
  const before = leading === null ? '' : `${leading}, `;
  return `WITH page AS (
      SELECT ${before}created_at, id, doc, row_number() OVER (ORDER BY ${orderBy}) AS line
      FROM (${merged}) AS found ORDER BY ${orderBy} LIMIT ${limit} + 1
    )
    SELECT string_agg(doc, ',' ORDER BY line) FILTER (WHERE line <= ${limit}) AS docs,
      coalesce(bool_or(line > ${limit}), false) AS more,
      ${leading === null ? 'NULL' : `max(${leading}::text COLLATE "C") FILTER (WHERE line = ${limit})`} AS last_leading,
      max((extract(epoch FROM created_at) * 1000)::bigint) FILTER (WHERE line = ${limit}) AS last_ms,
      max(id::text) FILTER (WHERE line = ${limit}) AS last_id`;
}

/** Without a row the caller may see nothing. */
function toPage(row: PageRow | undefined, order: PageOrder | undefined): AlertPage {
  const value = order?.valueOf(row?.last_leading ?? null) ?? null;
  return {
    docs: row?.docs ?? '',
    more: row?.more ?? false,
    last: row && row.last_ms !== null && row.last_id !== null ? [value, row.last_ms, row.last_id] : null,
    data: dataVersionOf(row?.positions ?? []),
    total: row?.total ?? null,
  };
}
