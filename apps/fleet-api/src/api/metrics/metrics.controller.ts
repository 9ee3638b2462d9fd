import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { HOUR_MS } from '@gpu-observatory/domain-types';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ALL_DATA } from '../data-version/data-version.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { Conditional, ConditionalGet } from '../http-cache/conditional-get.ts';
import { ConditionalRequest, type SentBody } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { hourOf } from '../paging/page-token.ts';
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
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getMetrics',
    summary: 'Get fleet metrics over a window of whole days',
    description:
      'Totals and averages of the window, and one value per UTC day. The default window is the last 90 days.',
  })
  @ConditionalGet(MetricsModel)
  @ErrorResponses()
  async getMetrics(
    @CurrentCaller() { access }: Caller,
    @Conditional() request: ConditionalRequest,
    @Query() query: MetricsQuery,
  ): Promise<SentBody> {
    const filter = parseScopeFilter(query);
    const nowMs = Date.now();
    // Part of the entity tag: an open window moves with the clock, at a full hour.
    const window = metricsWindow(query.from, query.to, nowMs);
    const untilMs = hourOf(nowMs) + HOUR_MS;
    return request.send({
      readValidators: async () => ({
        data: await this.versions.readForCaller(access, ALL_DATA, filter),
        variant: window,
      }),
      compute: async () => {
        const rows = await this.metrics.read(access, filter, window);
        const metrics = fleetMetrics(rows, window, filter.apiKeyId !== undefined);
        return { data: rows.data, variant: window, untilMs, body: { metrics } };
      },
    });
  }
}
