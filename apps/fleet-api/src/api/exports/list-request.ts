import { Readable } from 'node:stream';
import { MINUTE_MS } from '@gpu-observatory/domain-types';
import { addVary } from '@gpu-observatory/service-runtime';
import { DomainError, fleetErrors } from '@gpu-observatory/service-runtime/process';
import type { Caller } from '@gpu-observatory/token-verification';
import { customerIdsOf } from '../access/access-scope.ts';
import {
  type ComputedResponse,
  ConditionalRequest,
  type ConditionalResponse,
  type Exchange,
  type SentBody,
  type Validators,
} from '../http-cache/conditional-request.ts';
import type { ResponseCache } from '../http-cache/response-cache.ts';
import type { PageQuery } from '../paging/list-page.ts';
import { parseScopeFilter, type ScopeQuery } from '../query-parameters/scope-filter.ts';
import { type ExportedRow, exportStream } from './export-stream.ts';
import { exportTypeOf, listsExportType } from './export-type.ts';
import type { RunningExports } from './running-exports.ts';

/** Number of rows that an export reads at a time, unless the request has a `page_size`. Each export has them in memory. */
const ROWS_PER_PAGE = '500';
/** Maximum duration of an export to a client that reads slowly. It is the lifetime of the token of an API key. */
const MAX_DURATION_MS = 15 * MINUTE_MS;

/** A list whose pages a client can request with `next_page_token`. */
export interface PagedList<Query extends PageQuery & ScopeQuery> {
  columns: readonly string[];
  /** Returns the JSON response to the query of a page. */
  pageResponse(query: Query): ConditionalResponse;
}

/** An export of a list. */
export interface ExportedList extends Pick<ConditionalResponse, 'readValidators'> {
  columns: readonly string[];
  /** Returns the validators and the pages, of which the caller reads the first before it sends the status. */
  readPages(): Promise<Validators & { pages: AsyncIterator<readonly ExportedRow[]> }>;
}

export interface ExportOptions {
  running: RunningExports;
  /** Whether the token of the caller is still valid. */
  isCurrent(caller: Caller): boolean;
  maxDurationMs?: number;
}

/** A GET request for a list as JSON or, if `Accept` prefers that, as an export. See docs/decisions/exports.md. */
export class ListRequest extends ConditionalRequest {
  /** Media type of the export that the client requests; null for JSON. Set after the constructor of the superclass sets `request`. */
  private readonly exportType = exportTypeOf(this.request.headers);

  constructor(
    exchange: Exchange,
    cache: ResponseCache,
    private readonly exports: ExportOptions,
  ) {
    super(exchange, cache);
  }

  /** Whether the client requests an export. */
  get isExport(): boolean {
    return this.exportType !== null;
  }

  override async send(response: ConditionalResponse): Promise<SentBody> {
    // Only for a request that lists the type of an export, the response depends on `Accept`.
    if (listsExportType(this.request.headers)) addVary(this.reply, 'Accept');
    return super.send(response);
  }

  /** Sends a page as JSON, or as an export. With `page_size`, an export has one page, otherwise also all following pages. */
  async sendPages<Query extends PageQuery & ScopeQuery>(
    query: Query,
    { columns, pageResponse }: PagedList<Query>,
  ): Promise<SentBody> {
    if (!this.isExport) return this.send(pageResponse(query));
    const pageQuery = { ...query, page_size: query.page_size ?? ROWS_PER_PAGE };
    const first = pageResponse(pageQuery);
    const readNext = async (token: string) => {
      const { body } = await pageResponse({ ...pageQuery, page_token: token }).compute();
      return body;
    };
    return this.sendExport(query, {
      columns,
      readValidators: first.readValidators,
      readPages: async () => {
        const { body, ...validators } = await first.compute();
        return {
          ...validators,
          pages: followTokens(body, query.page_size === undefined ? readNext : undefined),
        };
      },
    });
  }

  /** @param query validated; its scope filters select the customers of the export */
  async sendExport(
    query: ScopeQuery,
    { columns, readValidators, readPages }: ExportedList,
  ): Promise<SentBody> {
    const { exportType } = this;
    if (exportType === null) throw new Error('The client does not request an export');
    const { raw } = this.reply;
    return this.send({
      readValidators,
      isCached: false,
      mediaType: exportType,
      compute: async () => {
        // Throws while another export of these customers runs. Counts this one until `raw` is closed.
        this.exports.running.start(customerIdsOf(this.access, parseScopeFilter(query)), raw);
        const { pages, ...validators } = await readPages();
        // Before the status is sent, so that an error still has its own.
        const first = await pages.next();
        // Fastify would read the stream of the whole export, although the response to HEAD has no body.
        if (this.request.method === 'HEAD') return { ...validators, body: Readable.from([]) };
        const body = exportStream(exportType, columns, this.whileAllowed(first, pages));
        this.limitDuration(body);
        return { ...validators, body };
      },
    });
  }

  /**
   * Yields the pages for as long as the token of the caller is valid.
   *
   * @param first result of the first `pages.next()`
   */
  private async *whileAllowed(
    first: IteratorResult<readonly ExportedRow[]>,
    pages: AsyncIterator<readonly ExportedRow[]>,
  ): AsyncGenerator<readonly ExportedRow[]> {
    const { caller } = this.request;
    for (let page = first; !page.done; page = await pages.next()) {
      yield page.value;
      if (caller === undefined || !this.exports.isCurrent(caller))
        throw new DomainError(
          fleetErrors.unauthorized,
          'The access token has expired or was revoked during the export.',
        );
    }
  }

  /** Ends the stream after the maximum duration, and when the connection is closed. */
  private limitDuration(body: Readable): void {
    const { maxDurationMs = MAX_DURATION_MS } = this.exports;
    const timer = setTimeout(
      () => body.destroy(new Error(`the export took longer than ${maxDurationMs / MINUTE_MS} min`)),
      maxDurationMs,
    );
    const stop = () => {
      clearTimeout(timer);
      body.destroy();
    };
    if (this.reply.raw.closed) stop();
    else this.reply.raw.once('close', stop);
  }
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
