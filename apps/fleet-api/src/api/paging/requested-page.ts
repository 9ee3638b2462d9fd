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
  { list, sortKey, customerIds }: { list?: string; sortKey: z.ZodType<Key>; customerIds: readonly number[] },
): RequestedPage<Key> {
  const parameters = boundQueryOf({ ...query });
  const boundQuery = list === undefined ? parameters : `${list}?${parameters}`;
  const token = query.page_token === undefined ? null : parsePageToken(query.page_token, boundQuery, sortKey);
  if (token !== null) rejectForeignToken(token, customerIds);
  return { size: Number(query.page_size ?? DEFAULT_PAGE_SIZE), boundQuery, token };
}

/** Returns the query that a page token is bound to: without the page, independent of the order of the parameters. */
function boundQueryOf({
  page_size: _size,
  page_token: _token,
  ...query
}: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const parameters = new URLSearchParams(given);
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
