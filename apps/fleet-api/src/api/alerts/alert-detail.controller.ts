import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiConditionalGet } from '../http-cache/api-conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { AlertDetailResponse, TimelineResponse } from './alert-detail.models.ts';
import { AlertDetailService } from './alert-detail.service.ts';

const ALERT_ID = {
  name: 'id',
  description: "The alert's id.",
  schema: { type: 'string', format: 'uuid' },
} as const;

/**
 * Returns the same 404 for an unknown alert and for one that the caller may not read. See
 * docs/fleet-api.md#alert-detail.
 */
@ApiTags('Alerts')
@ApiAuthenticated()
@Controller('api/v1/alerts/:id')
export class AlertDetailController {
  constructor(
    private readonly alerts: AlertDetailService,
    private readonly responder: ConditionalResponder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get an alert with its details',
    description:
      'The process, memory, workload, GPU, node and container that the alert is about; null for a section without data.',
  })
  @ApiParam(ALERT_ID)
  @ApiConditionalGet(AlertDetailResponse)
  @ErrorResponses('notFound')
  getAlert(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<SentBody> {
    return this.responder.send(reply, this.alerts.detail(access, id));
  }

  @Get('timeline')
  @ApiOperation({
    summary: "List an alert's timeline events, oldest first",
    description: 'What the processes around the alert did: starts, file accesses, connections and GPU calls.',
  })
  @ApiParam(ALERT_ID)
  @ApiConditionalGet(TimelineResponse)
  @ErrorResponses('notFound')
  listTimelineEvents(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<SentBody> {
    return this.responder.send(reply, this.alerts.timeline(access, id));
  }
}
