import type { Readable } from 'node:stream';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { Conditional, ConditionalGet } from '../http-cache/conditional-get.ts';
import { ConditionalRequest } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { AlertSearchQuery, AlertsQuery } from './alerts.dto.ts';
import { AlertListModel } from './alerts.models.ts';
import { AlertsService } from './alerts.service.ts';

/** See docs/fleet-api.md#list-alerts and #search-alerts. */
@ApiTags('Alerts')
@Authenticated()
@Controller('api/v1')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Get('alerts')
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
    return request.respond(this.alerts.list(access, query));
  }

  // A second colon makes the first one literal in a Fastify path.
  @Get('alerts::search')
  @ApiOperation({
    operationId: 'searchAlerts',
    summary: 'Search alerts',
    description:
      'The list of alerts, with all its parameters, narrowed to those whose hostname, title or description contains a text.',
  })
  @ConditionalGet(AlertListModel)
  @ErrorResponses('invalidCursor')
  async searchAlerts(
    @CurrentCaller() { access }: Caller,
    @Conditional() request: ConditionalRequest,
    @Query() query: AlertSearchQuery,
  ): Promise<Buffer | Readable | undefined> {
    return request.respond(this.alerts.list(access, query));
  }
}
