import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiConditionalGet } from '../http-cache/api-conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { FleetUsageQuery } from './fleet-usage.dto.ts';
import { FleetUsageModel } from './fleet-usage.models.ts';
import { FleetUsageService } from './fleet-usage.service.ts';

/** See docs/fleet-api.md#fleet-usage. */
@ApiTags('GPUs')
@ApiAuthenticated()
@Controller('api/v1/fleet-usage')
export class FleetUsageController {
  constructor(
    private readonly usage: FleetUsageService,
    private readonly responder: ConditionalResponder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get busy, idle and missing GPU-hours by workspace, model or host',
    description:
      'Every GPU-hour of the window since a GPU was first seen is busy, idle, missing or unmeasured. The default window is the last 24 hours.',
  })
  @ApiConditionalGet(FleetUsageModel)
  @ErrorResponses()
  getFleetUsage(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: FleetUsageQuery,
  ): Promise<SentBody> {
    return this.responder.send(reply, this.usage.usage(access, query));
  }
}
