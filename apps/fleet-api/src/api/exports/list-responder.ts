import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { addVary } from '@gpu-observatory/service-runtime';
import { DomainError, fleetErrors } from '@gpu-observatory/service-runtime/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { accessOf, customerIdsOf } from '../access/access-scope.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import type { ConditionalResponse } from '../http-cache/conditional-response.ts';
import type { PageQuery } from '../paging/list-page.ts';
import { parseScopeFilter, type ScopeQuery } from '../query-parameters/scope-filter.ts';
import { TokenGuard } from '../tokens/token-guard.ts';
import { limitDuration } from './export-duration.ts';
import { type ExportedRow, exportStream } from './export-stream.ts';
import { type ExportType, negotiateExport } from './export-type.ts';
import { type ExportedList, exportOfPages, type PagedList } from './exported-list.ts';
import { RunningExports } from './running-exports.ts';

/** The responses of a handler with `@ApiExportableList`. */
interface ListResponses {
  asJson(): ConditionalResponse;
  asExport(): ExportedList;
}

/** Responds to GET requests for a list with JSON or, if `Accept` prefers that, with an export. See docs/decisions/exports.md. */
@Injectable()
export class ListResponder {
  constructor(
    private readonly conditional: ConditionalResponder,
    private readonly running: RunningExports,
    private readonly tokens: TokenGuard,
  ) {}

  /** @param query validated; its scope filters select the customers of an export */
  async send(reply: FastifyReply, query: ScopeQuery, { asJson, asExport }: ListResponses): Promise<SentBody> {
    const { exportType, isListed } = negotiateExport(reply.request.headers);
    const response =
      exportType === null ? asJson() : this.exportResponse(reply, query, exportType, asExport());
    // The response depends on `Accept` only if the request lists an export type.
    if (isListed) addVary(reply, 'Accept');
    return this.conditional.send(reply, response);
  }

  /** Sends a page as JSON, or the export of the list. */
  sendPages<Query extends PageQuery & ScopeQuery>(
    reply: FastifyReply,
    query: Query,
    list: PagedList<Query>,
  ): Promise<SentBody> {
    return this.send(reply, query, {
      asJson: () => list.pageResponse(query, { isExport: false }),
      asExport: () => exportOfPages(query, list),
    });
  }

  private exportResponse(
    { request, raw }: FastifyReply,
    query: ScopeQuery,
    exportType: ExportType,
    { columns, readPages, ...validation }: ExportedList,
  ): ConditionalResponse {
    return {
      ...validation,
      mediaType: exportType,
      compute: async () => {
        // Throws while another export of these customers runs. Counts this one until `raw` is closed.
        this.running.start(customerIdsOf(accessOf(request), parseScopeFilter(query)), raw);
        const { pages, ...validators } = await readPages();
        // Before the status is sent, so that an error still has its own.
        const first = await pages.next();
        // Fastify would read the stream of the whole export, although the response to HEAD has no body.
        if (request.method === 'HEAD') return { ...validators, body: Readable.from([]) };
        const body = exportStream(exportType, columns, this.whileAllowed(request, first, pages));
        limitDuration(body, raw);
        return { ...validators, body };
      },
    };
  }

  /**
   * Yields the pages for as long as the token of the caller is valid.
   *
   * @param first result of the first `pages.next()`
   */
  private async *whileAllowed(
    { caller }: FastifyRequest,
    first: IteratorResult<readonly ExportedRow[]>,
    pages: AsyncIterator<readonly ExportedRow[]>,
  ): AsyncGenerator<readonly ExportedRow[]> {
    for (let page = first; !page.done; page = await pages.next()) {
      yield page.value;
      if (caller === undefined || !this.tokens.isCurrent(caller))
        throw new DomainError(
          fleetErrors.unauthorized,
          'The access token has expired or was revoked during the export.',
        );
    }
  }
}
