import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Access } from '@gpu-observatory/domain-types';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiExportableList } from '../exports/api-exportable-list.ts';
import { ListResponder } from '../exports/list-responder.ts';
import type { SentBody } from '../http-cache/conditional-responder.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { AlertSearchQuery, AlertsQuery } from './alerts.dto.ts';
import { ALERT_CSV_COLUMNS, AlertListModel } from './alerts.models.ts';
import { AlertsService } from './alerts.service.ts';

/** See docs/fleet-api.md#list-alerts and #search-alerts. */
@ApiTags('Alerts')
@ApiAuthenticated()
@Controller('api/v1')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly lists: ListResponder,
  ) {}

  @Get('alerts')
  @ApiOperation({
    summary: 'List alerts',
    description:
      'Newest first by default. Pages show the snapshot of the first page: concurrent changes neither repeat nor skip an alert.',
  })
  @ApiExportableList(AlertListModel)
  @ErrorResponses('invalidCursor')
  listAlerts(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: AlertsQuery,
  ): Promise<SentBody> {
    return this.send(access, reply, query);
  }

  // A second colon makes the first one literal in a Fastify path.
  @Get('alerts::search')
  @ApiOperation({
    summary: 'Search alerts',
    description:
      'The list of alerts, with all its parameters, narrowed to those whose hostname, title or description contains a text.',
  })
  @ApiExportableList(AlertListModel)
  @ErrorResponses('invalidCursor')
  searchAlerts(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: AlertSearchQuery,
  ): Promise<SentBody> {
    return this.send(access, reply, query);
  }

  private send(access: Access, reply: FastifyReply, query: AlertSearchQuery): Promise<SentBody> {
    return this.lists.sendPages(reply, query, {
      columns: ALERT_CSV_COLUMNS,
      pageResponse: (page, options) => this.alerts.list(access, page, options),
    });
  }
}
