import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiConditionalGet } from '../http-cache/api-conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { MetricsQuery } from './metrics.dto.ts';
import { MetricsModel } from './metrics.models.ts';
import { MetricsService } from './metrics.service.ts';

/** See docs/fleet-api.md#fleet-metrics. */
@ApiTags('Metrics')
@ApiAuthenticated()
@Controller('api/v1/metrics')
export class MetricsController {
  constructor(
    private readonly metrics: MetricsService,
    private readonly responder: ConditionalResponder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get fleet metrics over a window of whole days',
    description:
      'Totals and averages of the window, and one value per UTC day. The default window is the last 90 days.',
  })
  @ApiConditionalGet(MetricsModel)
  @ErrorResponses()
  getMetrics(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: MetricsQuery,
  ): Promise<SentBody> {
    return this.responder.send(reply, this.metrics.metrics(access, query));
  }
}
