import type { z } from 'zod';
import type { DataVersion } from '../data-version/data-version.ts';
import { DEFAULT_PAGE_SIZE } from '../query-parameters/parameters.ts';
import {
  encodePageToken,
  type PageToken,
  parsePageToken,
  rejectForeignToken,
  startOfHour,
} from './page-token.ts';

/** Query parameters of a list with pages. */
export interface PageQuery {
  page_size?: string;
  page_token?: string;
}

/** The page that a client requests. */
export interface RequestedPage<Key> {
  /** Maximum number of rows. */
  size: number;
  /** The query without the page, which its token and the next one are bound to. */
  boundQuery: string;
  /** Null for the first page. */
  token: PageToken<Key> | null;
}

/**
 * Returns the page that a query selects.
 *
 * @param list name of the list; distinguishes the tokens of lists with the same parameters
 * @param customerIds the customers in the caller's scope
 * @throws {DomainError} `invalid_cursor`
 */
export function requestedPage<Key>(
  query: PageQuery,
  {
    list,
    sortKey,
    customerIds,
    defaultSize = DEFAULT_PAGE_SIZE,
  }: { list?: string; sortKey: z.ZodType<Key>; customerIds: readonly number[]; defaultSize?: number },
): RequestedPage<Key> {
  const parameters = boundQueryOf(query);
  const boundQuery = list === undefined ? parameters : `${list}?${parameters}`;
  const token = query.page_token === undefined ? null : parsePageToken(query.page_token, boundQuery, sortKey);
  if (token !== null) rejectForeignToken(token, customerIds);
  return { size: Number(query.page_size ?? defaultSize), boundQuery, token };
}

/** Returns the query that a page token is bound to: without the page, independent of the order of the parameters. */
function boundQueryOf(query: PageQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, string | undefined][])
    if (value !== undefined && name !== 'page_size' && name !== 'page_token') parameters.append(name, value);
  parameters.sort();
  return parameters.toString();
}

/**
 * Returns the rows of a page, and the token of the next one.
 *
 * @param rows rows in the order of the list; more than the size of the page if another page follows
 * @param data data version of the rows
 */
export function pageOf<Row, Key>(
  rows: readonly Row[],
  { size, boundQuery, token }: RequestedPage<Key>,
  data: DataVersion,
  keyOf: (row: Row) => Key,
): { rows: Row[]; next_page_token?: string } {
  const last = rows.length > size ? rows[size - 1] : undefined;
  if (last === undefined) return { rows: [...rows] };
  const startedHourMs = token?.startedHourMs ?? startOfHour(Date.now());
  const next = { startedHourMs, data, after: keyOf(last) };
  return { rows: rows.slice(0, size), next_page_token: encodePageToken(next, boundQuery) };
}

/**
 * Returns the body of a list: `start`, JSON documents separated by commas, and `end`. It encodes them one by one, because joining them
 * first takes three times as long at 512 KiB.
 */
export function listBody(start: string, docs: readonly string[], end: string): Buffer {
  let bytes = Buffer.byteLength(start) + Math.max(0, docs.length - 1) + Buffer.byteLength(end);
  for (const doc of docs) bytes += Buffer.byteLength(doc);
  const body = Buffer.allocUnsafe(bytes);
  let length = body.write(start);
  docs.forEach((doc, n) => {
    if (n > 0) length += body.write(',', length);
    length += body.write(doc, length);
  });
  body.write(end, length);
  return body;
}
