import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import type { ScopeFilter } from '../access/access-scope.ts';
import { DataVersionQueries } from '../data-version/data-version.ts';
import { CurrentPoll, Poll } from '../http-cache/conditional-request.ts';
import { ConditionalAnswer } from '../openapi/conditional-response.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { type FleetMetrics, fleetMetrics } from './fleet-metrics.ts';
import { MetricsQuery } from './metrics.dto.ts';
import { MetricsModel } from './metrics.models.ts';
import { MetricsQueries } from './metrics.queries.ts';
import { metricsWindow } from './metrics-window.ts';

@ApiTags('metrics')
@ApiBearerAuth('bearer')
@Controller('api/v1/metrics')
export class MetricsController {
  constructor(
    private readonly metrics: MetricsQueries,
    private readonly versions: DataVersionQueries,
  ) {}

  /** Contract 4.4: what the fleet adds up to over a window of whole days. */
  @Get()
  @ApiOperation({ operationId: 'getMetrics', summary: 'What the fleet adds up to' })
  @ConditionalAnswer(MetricsModel)
  @ErrorResponses()
  async getMetrics(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Query() query: MetricsQuery,
  ): Promise<{ metrics: FleetMetrics } | undefined> {
    const filter = scopeOf(query);
    const window = metricsWindow(query.from, query.to);
    // An open window moves with the days: they are a part of the answer's name.
    const name = { more: window };
    if (poll.hasAnswer && poll.isAnswered(await this.versions.read(access, filter), access, name))
      return undefined;
    const rows = await this.metrics.read(access, filter, window);
    poll.tag(rows.data, access, name);
    return { metrics: fleetMetrics(rows, window, filter.apiKeyId !== undefined) };
  }
}

function scopeOf({ customer_id, workspace_id, api_key_id }: MetricsQuery): ScopeFilter {
  // Past every id there is, an integer stays one: it is valid and matches nothing.
  const [customerId, workspaceId, apiKeyId] = [customer_id, workspace_id, api_key_id].map((text) =>
    text === undefined ? undefined : Math.min(Number(text), Number.MAX_SAFE_INTEGER),
  );
  return {
    ...(customerId === undefined ? {} : { customerId }),
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(apiKeyId === undefined ? {} : { apiKeyId }),
  };
}
