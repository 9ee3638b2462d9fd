import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { readPageToken, writePageToken } from '../paging/page-token.ts';
import { AlertListModel } from './alerts.models.ts';
import { AlertsQuery, DEFAULT_PAGE_SIZE } from './alerts.dto.ts';
import { AlertsQueries } from './alerts.queries.ts';

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
  async listAlerts(@CurrentCaller() caller: Caller, @Query() query: AlertsQuery): Promise<string> {
    const size = query.page_size === undefined ? DEFAULT_PAGE_SIZE : Number(query.page_size);
    const page =
      query.page_token === undefined
        ? await this.alerts.firstPage(caller.access, size)
        : await this.alerts.nextPage(caller.access, size, readPageToken(query.page_token, QUERY));
    const next =
      page.more && page.last !== null
        ? `"next_page_token":"${writePageToken({ positions: page.positions, after: page.last }, QUERY)}",`
        : '';
    return `{"alerts":[${page.docs}],${next}"total_size":${page.total}}`;
  }
}
