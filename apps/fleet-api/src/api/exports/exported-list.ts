import type {
  ComputedResponse,
  ConditionalResponse,
  Validators,
} from '../http-cache/conditional-response.ts';
import type { PageQuery } from '../paging/list-page.ts';
import type { ExportedRow } from './export-stream.ts';

/** Number of rows that an export reads at a time, unless the request has a `page_size`. Each export has them in memory. */
const ROWS_PER_PAGE = '500';

/** An export of a list. */
export interface ExportedList extends Pick<ConditionalResponse, 'readValidators' | 'isWeak'> {
  columns: readonly string[];
  /** Returns the validators and the pages, of which the caller reads the first before it sends the status. */
  readPages(): Promise<Validators & { pages: AsyncIterator<readonly ExportedRow[]> }>;
}

/** How a page of a list is read. */
export interface ListOptions {
  /** Whether the page is part of an export. */
  isExport: boolean;
}

/** A list whose pages a client can request with `next_page_token`. */
export interface PagedList<Query extends PageQuery> {
  columns: readonly string[];
  /** Returns the JSON response to the query of a page. */
  pageResponse(query: Query, options: ListOptions): ConditionalResponse;
}

/** Returns the export of a list with pages. With `page_size`, it has one page, otherwise also all following pages. */
export function exportOfPages<Query extends PageQuery>(
  query: Query,
  { columns, pageResponse }: PagedList<Query>,
): ExportedList {
  const pageQuery = { ...query, page_size: query.page_size ?? ROWS_PER_PAGE };
  const { readValidators, isWeak, compute } = pageResponse(pageQuery, { isExport: true });
  const readNext = async (token: string) => {
    const response = pageResponse({ ...pageQuery, page_token: token }, { isExport: true });
    return (await response.compute()).body;
  };
  return {
    columns,
    readValidators,
    isWeak,
    readPages: async () => {
      const { body, ...validators } = await compute();
      const pages = followTokens(body, query.page_size === undefined ? readNext : undefined);
      return { ...validators, pages };
    },
  };
}

/** Yields the rows of the first page and of those that follow. @param readNext reads the page of a token; omitted for one page */
async function* followTokens(
  first: ComputedResponse['body'],
  readNext?: (token: string) => Promise<ComputedResponse['body']>,
): AsyncGenerator<readonly ExportedRow[], undefined> {
  let page = parsePage(first);
  yield page.rows;
  while (page.next !== undefined && readNext !== undefined) {
    page = parsePage(await readNext(page.next));
    yield page.rows;
  }
}

/**
 * Returns the rows of a page and the token of the next one. The response of a list has one array: its rows. It is never a stream,
 * which only exports are.
 */
function parsePage(body: ComputedResponse['body']): {
  rows: readonly ExportedRow[];
  next: string | undefined;
} {
  const page = (Buffer.isBuffer(body) ? JSON.parse(body.toString()) : body) as { next_page_token?: string };
  const rows = Object.values(page).find((value) => Array.isArray(value)) as ExportedRow[] | undefined;
  if (rows === undefined) throw new Error('A page of a list has no rows');
  return { rows, next: page.next_page_token };
}
