import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { formatTimestamp, SEVERITIES } from '@gpu-observatory/domain-types';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { DataVersionQueries } from '../../data-version/data-version.ts';
import { CurrentPoll, Poll } from '../../http-cache/conditional-request.ts';
import { ConditionalAnswer } from '../../openapi/conditional-response.ts';
import { ErrorResponses } from '../../openapi/error-responses.ts';
import { AlertSelectionQuery } from '../filters/alert-selection.dto.ts';
import { readSelection } from '../filters/alert-selection.ts';
import { AlertSummaryModel, SeverityTrendModel } from './alert-counts.models.ts';
import { AlertCountsQueries } from './alert-counts.queries.ts';
import { type AlertSummary, alertSummary } from './alert-summary.ts';
import { bucketUnit } from './bucket-unit.ts';

@ApiTags('alerts')
@ApiBearerAuth('bearer')
@Controller('api/v1')
export class AlertCountsController {
  constructor(
    private readonly alerts: AlertCountsQueries,
    private readonly versions: DataVersionQueries,
  ) {}

  /** Contract 4.2: each column ignores the filter on itself. A second colon makes the first one literal. */
  @Get('alerts::summary')
  @ApiOperation({ operationId: 'summarizeAlerts', summary: 'How many alerts by severity, type and state' })
  @ConditionalAnswer(AlertSummaryModel)
  @ErrorResponses()
  async summarizeAlerts(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Query() query: AlertSelectionQuery,
  ): Promise<{ summary: AlertSummary } | undefined> {
    const selection = readSelection(query);
    if (poll.hasAnswer && poll.isAnswered(await this.versions.read(access, selection.scope), access))
      return undefined;
    const { rows, data } = await this.alerts.counts(access, selection);
    poll.tag(data, access);
    return { summary: alertSummary(rows, selection) };
  }

  /** Contract 4.2: points by hour or by day, as the window's width has it. */
  @Get('alerts::severityTrend')
  @ApiOperation({ operationId: 'trendAlerts', summary: 'How many alerts of each severity, by hour or day' })
  @ConditionalAnswer(SeverityTrendModel)
  @ErrorResponses()
  async trendAlerts(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Query() query: AlertSelectionQuery,
  ): Promise<SeverityTrendModel | undefined> {
    const selection = readSelection(query);
    const { window } = selection;
    const earliestMs = window.fromGiven ? null : await this.alerts.earliestMs(access, selection);
    // An open window grows with the clock: its unit is a part of the answer's name.
    const unit = bucketUnit(window, earliestMs, Date.now());
    const name = { more: unit, lasting: window.toGiven || unit === 'day' };
    if (poll.hasAnswer) {
      const data = await this.versions.read(access, selection.scope);
      if (poll.isAnswered(data, access, name)) return undefined;
    }
    const { rows, data } = await this.alerts.buckets(access, selection, unit);
    poll.tag(data, access, name);
    return {
      points: rows.map(([bucketMs, rank, count]) => ({
        bucket: formatTimestamp(new Date(bucketMs)),
        severity: SEVERITIES[rank] as string,
        count,
      })),
    };
  }
}
