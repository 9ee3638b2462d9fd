import type { Readable } from 'node:stream';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Access } from '@gpu-observatory/domain-types';
import { commaSeparated, concatenate } from '@gpu-observatory/service-runtime';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { customerIdsOf } from '../access/access-scope.ts';
import { ALERT_DATA } from '../data-version/data-version.ts';
import { DataVersionQueries } from '../data-version/data-version.queries.ts';
import { Conditional, ConditionalGet } from '../http-cache/conditional-get.ts';
import { ConditionalRequest, type ConditionalResponse } from '../http-cache/conditional-request.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import {
  hourOf,
  type PageToken,
  readPageToken,
  rejectForeignToken,
  writePageToken,
} from '../paging/page-token.ts';
import { AlertListModel } from './alerts.models.ts';
import { AlertsQuery, DEFAULT_PAGE_SIZE } from './alerts.dto.ts';
import type { AlertPage } from './alert-page.ts';
import { type AlertListing, AlertsQueries } from './alerts.queries.ts';
import { readSelection } from './filters/alert-selection.ts';
import { DEFAULT_SORT, readSort, SORT_KEYS, type SortKey } from './order/alert-sorts.ts';

/** See docs/fleet-api.md#list-alerts. */
@ApiTags('Alerts')
@ApiBearerAuth('bearer')
@Controller('api/v1/alerts')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsQueries,
    private readonly versions: DataVersionQueries,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listAlerts',
    summary: 'List alerts',
    description:
      'Newest first by default. Pages show the snapshot of the first page: concurrent changes neither repeat nor skip an alert.',
  })
  @ConditionalGet(AlertListModel)
  @ErrorResponses('invalidCursor')
  async listAlerts(
    @CurrentCaller() { access }: Caller,
    @Conditional() request: ConditionalRequest,
    @Query() query: AlertsQuery,
  ): Promise<Buffer | Readable | undefined> {
    const listing = { selection: readSelection(query), sort: readSort(query.sort ?? DEFAULT_SORT) };
    const boundQuery = queryWithoutPage(query);
    const size = query.page_size === undefined ? DEFAULT_PAGE_SIZE : Number(query.page_size);
    if (query.page_token === undefined) {
      return request.respond(this.firstPage(access, listing, boundQuery, size));
    }
    const token = readPageToken(query.page_token, boundQuery, SORT_KEYS[listing.sort.field]);
    rejectForeignToken(token, customerIdsOf(access, listing.selection.scope));
    return request.respond(this.nextPage(access, listing, boundQuery, size, token));
  }

  private firstPage(
    access: Access,
    listing: AlertListing,
    boundQuery: string,
    size: number,
  ): ConditionalResponse {
    // Part of the entity tag: a response that a client revalidates for a day must not keep an expired page token.
    const hour = hourOf(Date.now());
    return {
      readValidators: async () => ({
        data: await this.versions.read(access, ALERT_DATA, listing.selection.scope),
        variant: hour,
      }),
      build: async () => {
        const { data, isIncomplete, body } = await this.alerts.firstPage(access, listing, size, (page) =>
          pageBody(page, boundQuery, hour),
        );
        return { data, variant: hour, isIncomplete, body };
      },
    };
  }

  /** The token fixes the data, so the response never changes; clients rarely request it twice. */
  private nextPage(
    access: Access,
    listing: AlertListing,
    boundQuery: string,
    size: number,
    token: PageToken<SortKey>,
  ): ConditionalResponse {
    const { startedAtMs, after } = token;
    const data = { ...token.data, kinds: ALERT_DATA, asOfMs: token.data.changedAtMs };
    return {
      isCached: false,
      readValidators: () => Promise.resolve({ data }),
      build: async () => {
        const { body } = await this.alerts.nextPage(access, listing, size, { data, after }, (page) =>
          pageBody(page, boundQuery, startedAtMs),
        );
        return { data, body };
      },
    };
  }
}

/** Returns the query that a page token is bound to, independent of the order of the parameters. */
function queryWithoutPage({
  page_size: _size,
  page_token: _token,
  sort = DEFAULT_SORT,
  ...query
}: AlertsQuery): string {
  const entries = Object.entries({ ...query, sort }).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(entries);
  parameters.sort();
  return parameters.toString();
}

function pageBody(
  { docChunks, hasMore, last, data, total }: AlertPage,
  boundQuery: string,
  startedAtMs: number,
): Buffer {
  const next =
    hasMore && last !== null
      ? `"next_page_token":"${writePageToken({ startedAtMs, data, after: last }, boundQuery)}",`
      : '';
  return concatenate(['{"alerts":[', ...commaSeparated(docChunks), `],${next}"total_size":${total}}`]);
}
