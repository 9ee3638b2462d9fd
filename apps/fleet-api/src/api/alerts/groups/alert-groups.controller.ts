import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiConditionalGet } from '../../http-cache/api-conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../../http-cache/conditional-responder.ts';
import { ApiAuthenticated } from '../../openapi/api-authenticated.ts';
import { ErrorResponses } from '../../openapi/error-responses.ts';
import { AlertGroupsQuery } from './alert-groups.dto.ts';
import { AlertGroupsModel } from './alert-groups.models.ts';
import { AlertGroupsService } from './alert-groups.service.ts';

/** See docs/fleet-api.md#alert-groups. */
@ApiTags('Alerts')
@ApiAuthenticated()
@Controller('api/v1')
export class AlertGroupsController {
  constructor(
    private readonly alerts: AlertGroupsService,
    private readonly responder: ConditionalResponder,
  ) {}

  // A second colon makes the first one literal in a Fastify path.
  @Get('alerts::groups')
  @ApiOperation({
    summary: 'Count alerts by host, workspace, GPU, day, hour, type, severity or state',
    description:
      'The groups with the most alerts, each with its severities and the times of its first and last alert.',
  })
  @ApiConditionalGet(AlertGroupsModel)
  @ErrorResponses()
  groupAlerts(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: AlertGroupsQuery,
  ): Promise<SentBody> {
    return this.responder.send(reply, this.alerts.groups(access, query));
  }
}
