import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { branchesOf } from '../access/access-scope.ts';
import { DataVersionQueries } from '../data-version/data-version.ts';
import { CurrentPoll, Poll } from '../http-cache/conditional-request.ts';
import { ConditionalAnswer } from '../openapi/conditional-response.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { hourOf, readPageToken, refuseForeignToken, writePageToken } from '../paging/page-token.ts';
import { AlertListModel } from './alerts.models.ts';
import { AlertsQuery, DEFAULT_PAGE_SIZE } from './alerts.dto.ts';
import { type AlertPage, AlertsQueries } from './alerts.queries.ts';
import { DEFAULT_SORT, readSort, sortKeySchema } from './order/alert-sorts.ts';
import { readSelection } from './filters/alert-selection.ts';

@ApiTags('alerts')
@ApiBearerAuth('bearer')
@Controller('api/v1/alerts')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsQueries,
    private readonly versions: DataVersionQueries,
  ) {}

  /** Contract 4.2: newest first unless sorted; a walk over its pages serves each alert once, as it was when the walk began. */
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({ operationId: 'listAlerts', summary: 'Security alerts' })
  @ConditionalAnswer(AlertListModel)
  @ErrorResponses('invalidCursor')
  async listAlerts(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Query() query: AlertsQuery,
  ): Promise<Buffer | undefined> {
    const selection = readSelection(query);
    const listing = { selection, sort: readSort(query.sort ?? DEFAULT_SORT) };
    const bound = boundQuery(query);
    const size = query.page_size === undefined ? DEFAULT_PAGE_SIZE : Number(query.page_size);
    if (query.page_token !== undefined) {
      const token = readPageToken(query.page_token, bound, sortKeySchema(listing.sort.field));
      refuseForeignToken(
        token,
        branchesOf(access, selection.scope).map(({ customerId }) => customerId),
      );
      // What it serves was settled by the first page: the same token always gets the same answer. Walkers ask for it once.
      const name = { lasting: false };
      if (poll.isAnswered(token.data, access, name)) return undefined;
      const page = await this.alerts.nextPage(access, listing, size, token);
      poll.tag(token.data, access, name);
      return answer(page, bound, token.beganAtMs);
    }
    // The hour is in the tag: an answer that is kept for a day must not hold a token that has expired.
    const hour = hourOf(Date.now());
    if (poll.hasAnswer) {
      const data = await this.versions.read(access, selection.scope);
      if (poll.isAnswered(data, access, { more: hour })) return undefined;
    }
    const page = await this.alerts.firstPage(access, listing, size);
    poll.tag(page.data, access, { more: hour });
    return answer(page, bound, hour);
  }
}

/** What a page token is bound to, beside the caller: all that was asked for, whatever the order of the parameters. */
function boundQuery({
  page_size: _size,
  page_token: _token,
  sort = DEFAULT_SORT,
  ...query
}: AlertsQuery): string {
  const given = Object.entries({ ...query, sort }).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(given);
  parameters.sort();
  return parameters.toString();
}

function answer({ docs, more, last, data, total }: AlertPage, query: string, beganAtMs: number): Buffer {
  const next =
    more && last !== null
      ? `"next_page_token":"${writePageToken({ beganAtMs, data, after: last }, query)}",`
      : '';
  return bytesOf(['{"alerts":[', ...separated(docs), `],${next}"total_size":${total}}`]);
}

function separated(docs: string[]): string[] {
  return docs.flatMap((piece, n) => (n === 0 ? [piece] : [',', piece]));
}

/** Of texts that stand one after the other. Made one text before, half a megabyte takes three times as long. */
function bytesOf(texts: string[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}
