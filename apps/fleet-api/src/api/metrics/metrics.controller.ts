import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { HOUR_MS } from '@gpu-observatory/domain-types';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ALL_DATA } from '../data-version/data-version.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { ConditionalGet } from '../http-cache/conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { startOfHour } from '../paging/page-token.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { fleetMetrics } from './fleet-metrics.ts';
import { MetricsQuery } from './metrics.dto.ts';
import { MetricsModel } from './metrics.models.ts';
import { MetricsService } from './metrics.service.ts';
import { metricsWindow } from './metrics-window.ts';

/** See docs/fleet-api.md#fleet-metrics. */
@ApiTags('Metrics')
@Authenticated()
@Controller('api/v1/metrics')
export class MetricsController {
  constructor(
    private readonly metrics: MetricsService,
    private readonly versions: CoalescedDataVersions,
    private readonly responder: ConditionalResponder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get fleet metrics over a window of whole days',
    description:
      'Totals and averages of the window, and one value per UTC day. The default window is the last 90 days.',
  })
  @ConditionalGet(MetricsModel)
  @ErrorResponses()
  async getMetrics(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: MetricsQuery,
  ): Promise<SentBody> {
    const filter = parseScopeFilter(query);
    const nowMs = Date.now();
    const window = metricsWindow(query, nowMs);
    // `metricsWindow` cuts the window to whole days and to one hour in the future, so it changes only at a full hour.
    const untilMs = startOfHour(nowMs) + HOUR_MS;
    return this.responder.send(reply, {
      readValidators: async () => ({
        data: await this.versions.readForCaller(access, ALL_DATA, filter),
        // Without `from` or `to`, the window moves with the clock.
        variant: window,
      }),
      compute: async () => {
        const result = await this.metrics.read(access, filter, window);
        const metrics = fleetMetrics(result, window, filter.apiKeyId !== undefined);
        return { data: result.data, variant: window, untilMs, body: { metrics } };
      },
    });
  }
}
