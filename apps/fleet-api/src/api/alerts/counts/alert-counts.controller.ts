import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiConditionalGet } from '../../http-cache/api-conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../../http-cache/conditional-responder.ts';
import { ApiAuthenticated } from '../../openapi/api-authenticated.ts';
import { ErrorResponses } from '../../openapi/error-responses.ts';
import { AlertSelectionQuery } from '../filters/alert-selection.dto.ts';
import { AlertSummaryModel, SeverityTrendModel } from './alert-counts.models.ts';
import { AlertCountsService } from './alert-counts.service.ts';

/** See docs/fleet-api.md#alert-summary and #alert-trend. */
@ApiTags('Alerts')
@ApiAuthenticated()
@Controller('api/v1')
export class AlertCountsController {
  constructor(
    private readonly alerts: AlertCountsService,
    private readonly responder: ConditionalResponder,
  ) {}

  // A second colon makes the first one literal in a Fastify path.
  @Get('alerts::summary')
  @ApiOperation({
    summary: 'Count alerts by severity, type and state',
    description:
      'Cheaper than a list: the response has a few kilobytes for any number of alerts. The counts of a column ignore the filters of the same column.',
  })
  @ApiConditionalGet(AlertSummaryModel)
  @ErrorResponses()
  summarizeAlerts(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: AlertSelectionQuery,
  ): Promise<SentBody> {
    return this.responder.send(reply, this.alerts.summary(access, query));
  }

  @Get('alerts::severityTrend')
  @ApiOperation({
    summary: 'Count alerts by severity per hour or day',
    description:
      'One point per severity and hour for a window of up to 72 hours, per day for a longer one. Without a window, the points are days.',
  })
  @ApiConditionalGet(SeverityTrendModel)
  @ErrorResponses()
  trendAlerts(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: AlertSelectionQuery,
  ): Promise<SentBody> {
    return this.responder.send(reply, this.alerts.trend(access, query));
  }
}
