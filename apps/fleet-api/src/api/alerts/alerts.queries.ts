import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import type { AccessScope } from '../access/access-scope.ts';
import {
  type PageRead,
  type ReadPart,
  type ScopedStatement,
  TenantDatabase,
} from '../access/tenant-database.ts';
import {
  ALERT_DATA,
  type DataVersionRow,
  dataVersionsSql,
  toDataVersion,
} from '../data-version/data-version.ts';
import { type AlertDocs, parseAlertDoc, startOfLastDoc } from '../../model/alerts/alert-document.ts';
import type { AlertPage, PagePiece, PagePosition, ReadNextPiece, ReadPiece } from './alert-page.ts';
import { ALERT_COLUMNS } from './alert-columns.ts';
import { countedSql } from './counts/alert-counts.sql.ts';
import { alertPredicate } from './filters/alert-predicate.ts';
import { type AlertSelection, queryOptions } from './filters/alert-selection.ts';
import { type AlertSort, sortKeyOf } from './order/alert-sorts.ts';
import { mergePage } from './merged-page.ts';
import { indexRanges } from './order/index-ranges.ts';
import { pageOrder, type PageOrder, type Source } from './order/page-order.ts';
import { foundInScopes, planTextSearch, type Relation, withSql } from './text/text-search.ts';

/** A query of the list, without the page. */
export interface AlertListing {
  selection: AlertSelection;
  sort: AlertSort;
}

/** A chunk of the page or, where `chunk` is null, the data versions and the total of a first page. */
interface PageRow {
  chunk: number | null;
  docs: AlertDocs | null;
  rows: number | null;
  data_versions: DataVersionRow[] | null;
  total: number | null;
}

/** Reads pages of alerts. See docs/decisions/snapshot-pagination.md. */
@Injectable()
export class AlertsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /**
   * Reads the current alerts, and the data version that later pages are read as of.
   *
   * @param render builds the response, before the next large page starts
   */
  firstPage(access: Access, listing: AlertListing, size: number, render: RenderPage): Promise<RenderedPage> {
    return this.readPage(access, listing, size, render, (part, rows) => readCurrent(part, listing, rows));
  }

  /** Reads a later page as of the data version of the first one. */
  nextPage(
    access: Access,
    listing: AlertListing,
    size: number,
    position: PagePosition,
    render: RenderPage,
  ): Promise<RenderedPage> {
    return this.readPage(access, listing, size, render, (part, rows) =>
      readAsOf(part, listing, rows, position),
    );
  }

  /**
   * Reads a page in one piece or several. Each further piece is read as a later page of the same data version. A page of very
   * long rows ends early, and the next page continues it. With one statement per customer, the alerts of all are merged.
   */
  private readPage(
    access: Access,
    listing: AlertListing,
    size: number,
    render: RenderPage,
    readFirst: ReadPiece,
  ): Promise<RenderedPage> {
    return this.tenants.page(access, { ...queryOptions(listing.selection), rows: size }, async (read) => {
      const readNext: ReadNextPiece = (part, rows, position) => readAsOf(part, listing, rows, position);
      const [part, ...others] = read.parts;
      const page =
        part === undefined || others.length > 0
          ? await mergePage(read, listing.sort, size, readFirst, readNext)
          : await readPieces(part, read, size, readFirst, readNext);
      // Not the documents: their memory is reused.
      return { rows: page.rows, data: page.data, body: await render(page) };
    });
  }
}

async function readPieces(
  part: ReadPart,
  read: PageRead,
  size: number,
  readFirst: ReadPiece,
  readNext: ReadNextPiece,
): Promise<AlertPage> {
  let page: AlertPage = await readFirst(part, await read.nextRows(size));
  while (page.hasMore && page.last !== null && page.rows < size) {
    const rows = await read.nextRows(size - page.rows);
    if (rows === 0) break;
    const piece = await readNext(part, rows, { data: page.data, after: page.last });
    page = {
      ...page,
      docChunks: [...page.docChunks, ...piece.docChunks],
      rows: page.rows + piece.rows,
      hasMore: piece.hasMore,
      last: piece.last ?? page.last,
    };
  }
  return page;
}

type RenderPage = (page: AlertPage) => Promise<Buffer>;
type RenderedPage = Pick<AlertPage, 'rows' | 'data'> & { body: Buffer };

/** Reads the first rows of the current alerts. */
async function readCurrent(
  part: ReadPart,
  { selection, sort }: AlertListing,
  size: number,
): Promise<PagePiece> {
  const order = pageOrder(sort, selection, null);
  const { conditions, hasTotal } = await planTextSearch(part.query, selection, size);
  const rows = await part.query<PageRow>((statement) => {
    const limit = `${statement.value(size)}::integer`;
    const matches = alertPredicate(statement, order.remaining);
    const found = foundInScopes(statement, selection, conditions);
    const sources = statement.scopes.flatMap((scope, n) =>
      currentRows(scope, found[n]).map(({ table, range }) => ({
        table,
        where: `${statement.rowsOf(range, 'r')} AND ${matches('r')}`,
      })),
    );
    const page = order.rowsSql(statement, sources, limit);
    const counting = { by: [], found: found.map(({ name }) => name) };
    const total = hasTotal
      ? `SELECT coalesce(sum(counted.n), 0)::bigint FROM (${countedSql(statement, selection, counting)}) AS counted`
      : 'NULL::bigint';
    return `${withSql(found)} SELECT NULL::bigint AS chunk, NULL::text AS docs, NULL::bigint AS rows, (${dataVersionsSql(statement)}) AS data_versions,
        (${total}) AS total
      UNION ALL ${docsSql(statement, page, order, size)}`;
  });
  const ofPage = rows.find(({ chunk }) => chunk === null);
  const page = toPage(rows, sort, size);
  return {
    ...page,
    data: toDataVersion(ofPage?.data_versions ?? [], ALERT_DATA),
    total: ofPage?.total ?? (page.hasMore ? null : page.rows),
  };
}

/** Returns the index ranges of a scope, or the alerts that were found by their words. */
function currentRows(
  scope: AccessScope,
  found: Relation | undefined,
): { table: string; range: AccessScope }[] {
  if (found !== undefined) return [{ table: found.name, range: scope }];
  return indexRanges(scope).map((range) => ({ table: 'fleet.alerts', range }));
}

/**
 * Reads rows as of a data version: those that have not changed since, and the past states of those that have. No alert is
 * in both, so each is returned once.
 */
async function readAsOf(
  part: ReadPart,
  { selection, sort }: AlertListing,
  size: number,
  { data, after }: PagePosition,
): Promise<PagePiece> {
  const order = pageOrder(sort, selection, after);
  const seqs = new Map(data.seqs.map(([customerId, seq = 0]) => [customerId, seq]));
  const { conditions } = await planTextSearch(part.query, selection, size);
  const rows = await part.query<PageRow>((statement) => {
    const limit = `${statement.value(size)}::integer`;
    const matches = alertPredicate(statement, order.remaining);
    const found = foundInScopes(statement, selection, conditions);
    const relations = [...found];
    const sources = statement.scopes.flatMap((scope, n): Source[] => {
      const seq = `${statement.value(seqs.get(scope.customerId) ?? 0)}::bigint`;
      const changes = changesSince(statement, scope, seq, `changes_${n}`);
      const rowsAsOf = (range: AccessScope) =>
        `${statement.rowsOf(range, 'r')} AND ${matches('r')} AND r.seq <= ${seq}`;
      relations.push(changes);
      const current = currentRows(scope, found[n]).map(({ table, range }) => ({
        table,
        where: `${rowsAsOf(range)} AND r.state_seq <= ${seq}`,
      }));
      const past = indexRanges(scope).flatMap((range) => {
        const pastStates = `${rowsAsOf(range)} AND r.since_seq <= ${seq} AND r.until_seq > ${seq}`;
        return [
          { table: changes.name, where: `${changes.isComplete} AND ${pastStates}` },
          { table: 'fleet.alert_past_states', where: `NOT ${changes.isComplete} AND ${pastStates}` },
        ];
      });
      return [...current, ...past];
    });
    const page = order.rowsSql(statement, sources, limit);
    return `${withSql(relations)} ${docsSql(statement, page, order, size)}`;
  });
  return { ...toPage(rows, sort, size), data, total: null };
}

/**
 * Maximum number of changed states per customer that are read at once. Above it, past states are scanned in page order.
 */
const CHANGES_THRESHOLD = 4_000;

/** A relation of the past states of one customer that ended after the first page was read. */
interface Changes extends Relation {
  /** Expression for whether the relation contains all of them. */
  isComplete: string;
}

/**
 * Selects past states by the end of their validity. A scan in the order of the page would skip them one by one, as most
 * past states of a day ended before the first page was read.
 */
function changesSince(statement: ScopedStatement, scope: AccessScope, seq: string, name: string): Changes {
  const columns = [...ALERT_COLUMNS, 'since_seq', 'until_seq'].map((column) => `p.${column}`).join(', ');
  return {
    name,
    sql: `${name} AS MATERIALIZED (
      SELECT ${columns} FROM fleet.alert_past_states p
      WHERE ${statement.customerOf(scope, 'p')} AND p.until_seq > ${seq} ORDER BY p.until_seq LIMIT ${CHANGES_THRESHOLD}
    )`,
    isComplete: `(SELECT count(*) < ${CHANGES_THRESHOLD} FROM ${name})`,
  };
}

/**
 * Documents per value of the result. The driver receives 64 KiB at a time; values that fit into one read cost half of
 * single documents or of one value with the whole page.
 */
const DOCS_PER_CHUNK = 96;
/** From this size, a page is read in chunks. One text is cheaper in the database. */
const MIN_CHUNKED_ROWS = 2 * DOCS_PER_CHUNK;

/**
 * Concatenates the documents. A part of a read returns each document by itself, for the merge. The last two columns are null:
 * they belong to the first row of a first page.
 */
function docsSql({ isPart }: ScopedStatement, page: string, order: PageOrder, size: number): string {
  const [chunk, docs, lines, groups] =
    size < MIN_CHUNKED_ROWS && !isPart
      ? ['0::bigint', `page.doc, ',' ORDER BY ${order.orderBy}`, page, '']
      : [
          `(page.line - 1) / ${isPart ? 1 : DOCS_PER_CHUNK}`,
          "page.doc, ',' ORDER BY page.line",
          `SELECT found.doc, row_number() OVER (ORDER BY ${order.orderBy}) AS line FROM (${page}) AS found`,
          'GROUP BY 1',
        ];
  return `SELECT ${chunk} AS chunk, string_agg(${docs}) AS docs, count(*) AS rows, NULL::json AS data_versions, NULL::bigint AS total
    FROM (${lines}) AS page ${groups}`;
}

/** Removes the additional row, which only shows that more rows follow. */
function toPage(
  rows: PageRow[],
  sort: AlertSort,
  size: number,
): Pick<PagePiece, 'docChunks' | 'keys' | 'rows' | 'hasMore' | 'last'> {
  const chunks = rows.filter(({ docs }) => docs !== null).sort((a, b) => Number(a.chunk) - Number(b.chunk));
  const docChunks = chunks.map(({ docs }) => docs as AlertDocs);
  const count = chunks.reduce((sum, chunk) => sum + Number(chunk.rows), 0);
  const hasMore = count > size;
  if (hasMore) {
    const text = docChunks.pop() as AlertDocs;
    const start = startOfLastDoc(text);
    if (start > 0) docChunks.push(text.slice(0, start - 1));
  }
  const areSingle = chunks.every((chunk) => Number(chunk.rows) === 1);
  const keys = (areSingle ? docChunks : docChunks.slice(-1)).map((text) =>
    sortKeyOf(sort.field, parseAlertDoc(text.slice(startOfLastDoc(text)).toString())),
  );
  return {
    docChunks,
    keys,
    rows: Math.min(count, size),
    hasMore,
    last: keys.at(-1) ?? null,
  };
}
