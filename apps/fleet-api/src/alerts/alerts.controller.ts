import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { FailureAnswers } from '../openapi/failure-answers.ts';
import { readPageToken, writePageToken } from '../paging/page-token.ts';
import { AlertListModel } from './alerts.models.ts';
import { AlertsQuery, DEFAULT_PAGE_SIZE } from './alerts.dto.ts';
import { AlertsQueries, newestFirstKey } from './alerts.queries.ts';

/** What a page token is bound to, beside the caller: the default order is the only one there is. */
const QUERY = 'sort=-timestamp';

@ApiTags('alerts')
@ApiBearerAuth('bearer')
@Controller('api/v1/alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsQueries) {}

  /** Contract 4.2: newest first; a walk over its pages serves each alert once, as it was when the walk began. */
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({ operationId: 'listAlerts', summary: 'Security alerts, newest first' })
  @ApiOkResponse({ type: AlertListModel })
  @FailureAnswers('invalidCursor')
  async listAlerts(@CurrentCaller() caller: Caller, @Query() query: AlertsQuery): Promise<string> {
    const size = query.page_size === undefined ? DEFAULT_PAGE_SIZE : Number(query.page_size);
    const token =
      query.page_token === undefined ? null : readPageToken(query.page_token, QUERY, newestFirstKey);
    const beganAtMs = token?.beganAtMs ?? Date.now();
    const page =
      token === null
        ? await this.alerts.firstPage(caller.access, size)
        : await this.alerts.nextPage(caller.access, size, token);
    const next =
      page.more && page.last !== null
        ? `"next_page_token":"${writePageToken({ beganAtMs, positions: page.positions, after: page.last }, QUERY)}",`
        : '';
    return `{"alerts":[${page.docs}],${next}"total_size":${page.total}}`;
  }
}
