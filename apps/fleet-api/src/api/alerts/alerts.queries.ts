import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { StatementTimeout } from '@gpu-observatory/service-runtime/process';
import { type ReadPart, type ScopedStatement, TenantDatabase } from '../access/tenant-database.ts';
import {
  ALERT_DATA,
  type DataVersionRow,
  dataVersionsSql,
  toDataVersion,
} from '../data-version/data-version.ts';
import { parseAlertDoc, startOfLastDoc } from '../../model/alerts/alert-document.ts';
import type { AlertPage, PagePiece, PagePosition, ReadNextPiece, ReadPiece } from './alert-page.ts';
import { sourcesAsOf } from './as-of.sql.ts';
import { countedSql } from './counts/alert-counts.sql.ts';
import { alertPredicate } from './filters/alert-predicate.ts';
import { type AlertSelection, isPlain, queryOptions } from './filters/alert-selection.ts';
import { type AlertSort, isDefaultSort, sortKeyOf } from './order/alert-sorts.ts';
import { mergePage } from './merged-page.ts';
import { pageOrder, type PageOrder } from './order/page-order.ts';
import { foundInScopes, foundOrAll, planTextSearch, withSql } from './text/text-search.ts';
import type { WordCondition } from './text/word-conditions.ts';

/** A query of the list, without the page. */
export interface AlertListing {
  selection: AlertSelection;
  sort: AlertSort;
}

/** Largest page that counts as a small read, in rows. */
const SMALL_PAGE_ROWS = 1_000;
/** Largest page that is a quick read, in rows. */
const MAX_QUICK_ROWS = 200;

/** First rows of a large page, which show how long its documents are. */
const FIRST_ROWS = 1_000;
/** Maximum number of further rows that are read at once: later documents may be longer. */
const MAX_PIECE_ROWS = 3_000;

/** A chunk of the page or, where `chunk` is null, the data versions and the total of a first page. */
interface PageRow {
  chunk: number | null;
  docs: string | null;
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
    return this.readPage(access, listing, size, null, render);
  }

  /** Reads a later page as of the data version of the first one. */
  nextPage(
    access: Access,
    listing: AlertListing,
    size: number,
    position: PagePosition,
    render: RenderPage,
  ): Promise<RenderedPage> {
    return this.readPage(access, listing, size, position, render);
  }

  /**
   * Reads a page of up to 1,000 rows with one statement, a larger one in pieces: each further piece is read as a later page of the
   * same data version. A page of very long rows ends early, and the next page continues it. With one statement per customer, the
   * alerts of all are merged.
   *
   * @param position null for the first page
   */
  private readPage(
    access: Access,
    listing: AlertListing,
    size: number,
    position: PagePosition | null,
    render: RenderPage,
  ): Promise<RenderedPage> {
    const { selection, sort } = listing;
    const options = {
      ...queryOptions(selection),
      prepared: isPlain(selection) && isDefaultSort(sort),
      isLarge: size > SMALL_PAGE_ROWS,
      isQuick: size <= MAX_QUICK_ROWS && selection.texts.length === 0,
    };
    const maxLength = this.tenants.pageBytes;
    return this.tenants.read(access, options, async (parts) => {
      const conditionsOf = conditionsByPart(selection, size);
      const readNext: ReadNextPiece = async (part, rows, after) =>
        readAsOf(part, listing, rows, after, await conditionsOf(part));
      const readFirst: ReadPiece = async (part, rows) =>
        position === null
          ? readCurrent(part, listing, rows, await conditionsOf(part))
          : readNext(part, rows, position);
      const [part, ...others] = parts;
      const page =
        part === undefined || others.length > 0
          ? await mergePage(parts, { sort, size, maxLength }, readFirst, readNext)
          : await readPieces(part, { size, maxLength }, readFirst, readNext);
      const isFirst = position === null;
      const total = isFirst ? (page.total ?? (await countMatches(parts, selection, page))) : null;
      return {
        data: page.data,
        isIncomplete: isFirst && total === null,
        body: render({ ...page, total }),
      };
    });
  }
}

/** Returns a function that chooses how the matches of text filters are found: once per page, not once per piece. */
function conditionsByPart(
  selection: AlertSelection,
  size: number,
): (part: ReadPart) => Promise<readonly WordCondition[]> {
  const plans = new Map<ReadPart, Promise<readonly WordCondition[]>>();
  return (part) => {
    let plan = plans.get(part);
    if (plan === undefined) plans.set(part, (plan = planTextSearch(part.query, selection, size)));
    return plan;
  };
}

/**
 * Counts the alerts that pagination returns, as of the data version of the page. For text filters that compare every alert:
 * as a part of the page's statement, the count could not be cut off alone.
 *
 * @returns null when the time of the read ends first
 */
async function countMatches(
  parts: readonly ReadPart[],
  selection: AlertSelection,
  { data, rows, hasMore }: AlertPage,
): Promise<number | null> {
  if (!hasMore) return rows;
  try {
    const counted = await Promise.all(
      parts.map((part) =>
        part.query<{ total: number }>((statement) => {
          const matches = alertPredicate(statement, selection);
          const { relations, sources } = sourcesAsOf(statement, matches, data, []);
          const counts = sources.map(
            ({ table, where }) => `SELECT count(*) AS n FROM ${table} r WHERE ${where}`,
          );
          return `${withSql(relations)} SELECT sum(counted.n)::bigint AS total FROM (${counts.join(' UNION ALL ')}) AS counted`;
        }),
      ),
    );
    return counted.flat().reduce((sum, { total }) => sum + total, 0);
  } catch (error) {
    if (error instanceof StatementTimeout) return null;
    throw error;
  }
}

type RenderPage = (page: AlertPage) => Buffer;
interface RenderedPage extends Pick<AlertPage, 'data'> {
  /** Whether the count of a first page was cut off. */
  isIncomplete: boolean;
  body: Buffer;
}

async function readPieces(
  part: ReadPart,
  { size, maxLength }: { size: number; maxLength: number },
  readFirst: ReadPiece,
  readNext: ReadNextPiece,
): Promise<AlertPage> {
  const page: AlertPage = await readFirst(part, Math.min(size, FIRST_ROWS));
  let length = lengthOf(page);
  while (page.hasMore && page.last !== null && page.rows < size && length < maxLength) {
    const fitting = Math.ceil(((maxLength - length) / length) * page.rows);
    const rows = Math.min(size - page.rows, fitting, MAX_PIECE_ROWS);
    const piece = await readNext(part, rows, { data: page.data, after: page.last });
    page.docChunks.push(...piece.docChunks);
    page.rows += piece.rows;
    page.hasMore = piece.hasMore;
    page.last = piece.last ?? page.last;
    length += lengthOf(piece);
  }
  return page;
}

const lengthOf = ({ docChunks }: AlertPage) => docChunks.reduce((sum, docs) => sum + docs.length, 0);

/** Reads the first rows of the current alerts. */
async function readCurrent(
  part: ReadPart,
  { selection, sort }: AlertListing,
  size: number,
  conditions: readonly WordCondition[],
): Promise<PagePiece> {
  const order = pageOrder(sort, selection, null);
  const rows = await part.query<PageRow>((statement) => {
    const limit = `${statement.value(size)}::integer`;
    const matches = alertPredicate(statement, order.remaining);
    const found = foundInScopes(statement, selection, conditions);
    const sources = statement.scopes.flatMap((scope, n) =>
      foundOrAll(scope, found[n]).map(({ table, range }) => ({
        table,
        where: `${statement.rowsOf(range, 'r')} AND ${matches('r')}`,
      })),
    );
    const page = order.rowsSql(statement, sources, limit);
    const counting = { by: [], found: found.map(({ name }) => name) };
    const isCheap = selection.texts.length === 0 || conditions.length > 0;
    const total = isCheap
      ? `SELECT coalesce(sum(counted.n), 0)::bigint FROM (${countedSql(statement, selection, counting)}) AS counted`
      : 'NULL::bigint';
    return `${withSql(found)} SELECT NULL::bigint AS chunk, NULL::text AS docs, NULL::bigint AS rows, (${dataVersionsSql(statement)}) AS data_versions,
        (${total}) AS total
      UNION ALL ${docsSql(statement, page, order, size)}`;
  });
  const ofPage = rows.find(({ chunk }) => chunk === null);
  return {
    ...toPage(rows, sort, size),
    data: toDataVersion(ofPage?.data_versions ?? [], ALERT_DATA),
    total: ofPage?.total ?? null,
  };
}

/** Reads rows as of a data version, from which no alert is missing and which has none twice. */
async function readAsOf(
  part: ReadPart,
  { selection, sort }: AlertListing,
  size: number,
  { data, after }: PagePosition,
  conditions: readonly WordCondition[],
): Promise<PagePiece> {
  const order = pageOrder(sort, selection, after);
  const rows = await part.query<PageRow>((statement) => {
    const limit = `${statement.value(size)}::integer`;
    const matches = alertPredicate(statement, order.remaining);
    const found = foundInScopes(statement, selection, conditions);
    const { relations, sources } = sourcesAsOf(statement, matches, data, found);
    const page = order.rowsSql(statement, sources, limit);
    return `${withSql(relations)} ${docsSql(statement, page, order, size)}`;
  });
  return { ...toPage(rows, sort, size), data, total: null };
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
  const docChunks = chunks.map(({ docs }) => docs as string);
  const count = chunks.reduce((sum, chunk) => sum + Number(chunk.rows), 0);
  const hasMore = count > size;
  if (hasMore) {
    const text = docChunks.pop() as string;
    const start = startOfLastDoc(text);
    if (start > 0) docChunks.push(text.slice(0, start - 1));
  }
  const areSingle = chunks.every((chunk) => Number(chunk.rows) === 1);
  const keys = (areSingle ? docChunks : docChunks.slice(-1)).map((text) =>
    sortKeyOf(sort.field, parseAlertDoc(text.slice(startOfLastDoc(text)))),
  );
  return {
    docChunks,
    keys,
    rows: Math.min(count, size),
    hasMore,
    last: keys.at(-1) ?? null,
  };
}
