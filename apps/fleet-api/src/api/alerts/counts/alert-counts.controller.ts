import type { Readable } from 'node:stream';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { formatTimestamp, SEVERITIES } from '@gpu-observatory/domain-types';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ALERT_DATA } from '../../data-version/data-version.ts';
import { DataVersionQueries } from '../../data-version/data-version.queries.ts';
import { Conditional, ConditionalGet } from '../../http-cache/conditional-get.ts';
import { ConditionalRequest } from '../../http-cache/conditional-request.ts';
import { ErrorResponses } from '../../openapi/error-responses.ts';
import { AlertSelectionQuery } from '../filters/alert-selection.dto.ts';
import { readSelection } from '../filters/alert-selection.ts';
import { AlertSummaryModel, SeverityTrendModel } from './alert-counts.models.ts';
import { AlertCountsService } from './alert-counts.service.ts';
import { alertSummary } from './alert-summary.ts';
import { bucketsOf } from './bucket-unit.ts';

/** See docs/fleet-api.md#alert-summary and #alert-trend. */
@ApiTags('Alerts')
@ApiBearerAuth('bearer')
@Controller('api/v1')
export class AlertCountsController {
  constructor(
    private readonly alerts: AlertCountsService,
    private readonly versions: DataVersionQueries,
  ) {}

  // A second colon makes the first one literal in a Fastify path.
  @Get('alerts::summary')
  @ApiOperation({
    operationId: 'summarizeAlerts',
    summary: 'Count alerts by severity, type and state',
    description:
      'Cheaper than a list: the response has a few kilobytes for any number of alerts. The counts of a column ignore the filters of the same column.',
  })
  @ConditionalGet(AlertSummaryModel)
  @ErrorResponses()
  async summarizeAlerts(
    @CurrentCaller() { access }: Caller,
    @Conditional() request: ConditionalRequest,
    @Query() query: AlertSelectionQuery,
  ): Promise<Buffer | Readable | undefined> {
    const selection = readSelection(query);
    return request.respond({
      readValidators: async () => ({ data: await this.versions.read(access, ALERT_DATA, selection.scope) }),
      build: async () => {
        const { rows, data } = await this.alerts.summary(access, selection);
        return { data, body: { summary: alertSummary(rows, selection) } };
      },
    });
  }

  @Get('alerts::severityTrend')
  @ApiOperation({
    operationId: 'trendAlerts',
    summary: 'Count alerts by severity per hour or day',
    description:
      'One point per severity and hour for a window of up to 72 hours, per day for a longer one. Without a window, the points are days.',
  })
  @ConditionalGet(SeverityTrendModel)
  @ErrorResponses()
  async trendAlerts(
    @CurrentCaller() { access }: Caller,
    @Conditional() request: ConditionalRequest,
    @Query() query: AlertSelectionQuery,
  ): Promise<Buffer | Readable | undefined> {
    const selection = readSelection(query);
    const { window } = selection;
    // The unit is part of the entity tag: an open window grows with the clock.
    const readBuckets = async () => {
      const earliestMs = window.hasFrom ? null : await this.alerts.earliestMs(access, selection);
      return bucketsOf(window, earliestMs, Date.now());
    };
    return request.respond({
      readValidators: async () => ({
        data: await this.versions.read(access, ALERT_DATA, selection.scope),
        variant: (await readBuckets()).unit,
      }),
      build: async () => {
        const { unit, untilMs } = await readBuckets();
        const { rows, data } = await this.alerts.trend(access, selection, unit);
        const points = rows.map(([bucketMs, rank, count]) => ({
          bucket: formatTimestamp(new Date(bucketMs)),
          severity: SEVERITIES[rank] as string,
          count,
        }));
        return { data, variant: unit, untilMs, body: { points } };
      },
    });
  }
}
