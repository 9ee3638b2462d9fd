import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import type { Branch } from '../access/access-scope.ts';
import { type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import {
  type DataVersion,
  dataVersionOf,
  type PositionRow,
  positionsSql,
} from '../data-version/data-version.ts';
import type { PageToken } from '../paging/page-token.ts';
import { countedSql } from './counts/alert-counts.sql.ts';
import type { AlertSort, SortKey } from './order/alert-sorts.ts';
import { indexRangesOf } from './order/index-ranges.ts';
import { pageOrder, type PageOrder } from './order/page-order.ts';
import { alertPredicate } from './filters/alert-predicate.ts';
import { type AlertSelection, queryOptions } from './filters/alert-selection.ts';

/** What a list is asked for, beside the page. */
export interface AlertListing {
  selection: AlertSelection;
  sort: AlertSort;
}

/** One page as PostgreSQL puts it together. */
export interface AlertPage {
  /** The list items' JSON, in pieces of several, each separated by commas. */
  docs: string[];
  /** Whether rows follow. */
  more: boolean;
  last: SortKey | null;
  /** The data that it was made of. */
  data: DataVersion;
  /** How many alerts there are in all; null on later pages. */
  total: number | null;
}

/** A piece of the page; or, in the row without a place, what concerns the whole of a first page. */
interface PageRow {
  place: number | null;
  docs: string | null;
  rows: number | null;
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
    const rows = await this.tenants.query<PageRow>(
      access,
      (statement) => {
        const limit = `${statement.value(size)}::integer`;
        const matches = alertPredicate(statement, selection);
        const chosen = (order = pageOrder(statement, sort, selection, limit, null));
        const sources = statement.branches.flatMap(indexRangesOf).flatMap((range) => {
          return chosen.sources(
            'fleet.alerts',
            (alias) => `${statement.branch(range, alias)} AND ${matches(alias)}`,
          );
        });
        const total = `SELECT coalesce(sum(counted.n), 0)::bigint FROM (${countedSql(statement, selection, { by: [] })}) AS counted`;
        return `SELECT NULL::bigint AS place, NULL::text AS docs, NULL::bigint AS rows, NULL::text AS last_leading,
            NULL::bigint AS last_ms, NULL::text AS last_id, (${positionsSql(statement)}) AS positions, (${total}) AS total
          UNION ALL ${piecesSql(sources, chosen, limit)}`;
      },
      queryOptions(selection),
    );
    const whole = rows.find(({ place }) => place === null);
    return {
      ...toPage(rows, order, size),
      data: dataVersionOf(whole?.positions ?? []),
      total: whole?.total ?? 0,
    };
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
    const rows = await this.tenants.query<PageRow>(
      access,
      (statement) => {
        const limit = `${statement.value(size)}::integer`;
        const matches = alertPredicate(statement, selection);
        const chosen = (order = pageOrder(statement, sort, selection, limit, token.after));
        const changes = new Map(
          statement.branches.map((branch, place) => {
            const seq = `${statement.value(seqOf.get(branch.customerId) ?? 0)}::bigint`;
            return [branch.customerId, changesSince(statement, branch, seq, `changes_${place}`)];
          }),
        );
        const sources = statement.branches.flatMap(indexRangesOf).flatMap((range) => {
          const { seq, name, few } = changes.get(range.customerId) as Changes;
          const rows = (alias: string) =>
            `${statement.branch(range, alias)} AND ${matches(alias)} AND ${alias}.seq <= ${seq}`;
          const past = (alias: string) =>
            `${rows(alias)} AND ${alias}.since_seq <= ${seq} AND ${alias}.until_seq > ${seq}`;
          return [
            ...chosen.sources('fleet.alerts', (alias) => `${rows(alias)} AND ${alias}.state_seq <= ${seq}`),
            ...chosen.sources(name, (alias) => `${few} AND ${past(alias)}`),
            ...chosen.sources('fleet.alert_past_states', (alias) => `NOT ${few} AND ${past(alias)}`),
          ];
        });
        const relations = [...changes.values()].map(({ sql }) => sql).join(', ');
        return `WITH ${relations} ${piecesSql(sources, chosen, limit)}`;
      },
      queryOptions(selection),
    );
    return { ...toPage(rows, order, size), data: token.data, total: null };
  }
}

/** With as many changes since a walk began, their past states are read in the order of the walk. */
const MANY_CHANGES = 4_000;

/** The past states of a customer that have ended since a walk began, as a relation of its own. */
interface Changes {
  name: string;
  sql: string;
  /** Where the walk began. */
  seq: string;
  /** Whether the relation holds them all. */
  few: string;
}

/**
 * Of a day's past states nearly all ended before a walk began or nearly none did. Read in the order of the walk, the first
 * kind is passed over one by one; so those that ended since come by their end, as long as they are few.
 */
function changesSince(statement: ScopedStatement, branch: Branch, seq: string, name: string): Changes {
  const customer = statement.branch({ customerId: branch.customerId, workspaceIds: 'all' }, 'p');
  return {
    name,
    seq,
    sql: `${name} AS MATERIALIZED (
      SELECT p.customer_id, p.id, p.created_at, p.workspace_id, p.api_key_id, p.severity, p.state, p.type, p.hostname, p.title,
        p.description, p.seq, p.since_seq, p.until_seq, p.doc
      FROM fleet.alert_past_states p WHERE ${customer} AND p.until_seq > ${seq} ORDER BY p.until_seq LIMIT ${MANY_CHANGES}
    )`,
    few: `(SELECT count(*) < ${MANY_CHANGES} FROM ${name})`,
  };
}

/**
 * So many documents are one text of the answer. The driver puts a value together from what the socket gives it, 64 KiB at
 * a time: texts that come in one reading cost half of short ones, or of one text that holds the whole page.
 */
const PIECE = 96;

/**
 * Merges the sources, each cut to the page and one row more, and puts the page's text together, in pieces. The last
 * two columns are for the row of a first page that has no piece.
 */
function piecesSql(sources: string[], { leading, orderBy }: PageOrder, limit: string): string {
  const merged = sources.map((source) => `(${source})`).join(' UNION ALL ');
  const before = leading === null ? '' : `found.${leading}, `;
  return `SELECT (page.line - 1) / ${PIECE} AS place,
      string_agg(page.doc, ',' ORDER BY page.line) FILTER (WHERE page.line <= ${limit}) AS docs, count(*) AS rows,
      ${leading === null ? 'NULL::text' : `max(page.${leading}::text COLLATE "C") FILTER (WHERE page.line = ${limit})`} AS last_leading,
      max((extract(epoch FROM page.created_at) * 1000)::bigint) FILTER (WHERE page.line = ${limit}) AS last_ms,
      max(page.id::text) FILTER (WHERE page.line = ${limit}) AS last_id, NULL::json AS positions, NULL::bigint AS total
    FROM (
      SELECT ${before}found.created_at, found.id, found.doc, row_number() OVER (ORDER BY ${orderBy}) AS line
      FROM (${merged}) AS found ORDER BY ${orderBy} LIMIT ${limit} + 1
    ) AS page GROUP BY 1`;
}

function toPage(
  rows: PageRow[],
  order: PageOrder | undefined,
  size: number,
): Pick<AlertPage, 'docs' | 'more' | 'last'> {
  const last = rows.find(({ last_id }) => last_id !== null);
  return {
    docs: rows
      .toSorted((one, other) => Number(one.place) - Number(other.place))
      .flatMap(({ docs }) => docs ?? []),
    more: rows.reduce((sum, row) => sum + (row.rows ?? 0), 0) > size,
    last:
      last === undefined
        ? null
        : [order?.valueOf(last.last_leading) ?? null, last.last_ms as number, last.last_id as string],
  };
}
