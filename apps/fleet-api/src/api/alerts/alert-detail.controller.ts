import { Controller, Get, Header, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type AlertDetail, isUuid, type ResourceDetails } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { dataVersionOf, DataVersionQueries } from '../data-version/data-version.ts';
import { CurrentPoll, Poll } from '../http-cache/conditional-request.ts';
import { ConditionalAnswer } from '../openapi/conditional-response.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { parseAlertDoc } from '../../model/alerts/alert-document.ts';
import { AlertDetailQueries, type AlertDetailRow } from './alert-detail.queries.ts';
import { AlertDetailAnswer, TimelineAnswer } from './alert-detail.models.ts';

const ALERT_ID = {
  name: 'id',
  description: "The alert's id.",
  schema: { type: 'string', format: 'uuid' },
} as const;

@ApiTags('alerts')
@ApiBearerAuth('bearer')
@Controller('api/v1/alerts/:id')
export class AlertDetailController {
  constructor(
    private readonly alerts: AlertDetailQueries,
    private readonly versions: DataVersionQueries,
  ) {}

  /** Contract 4.2, detail rule: an unknown id is 404; so is one of another tenant. */
  @Get()
  @ApiOperation({ operationId: 'getAlert', summary: 'One alert in full' })
  @ApiParam(ALERT_ID)
  @ConditionalAnswer(AlertDetailAnswer)
  @ErrorResponses('notFound')
  async getAlert(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<{ alert: AlertDetail } | undefined> {
    const wanted = alertId(id);
    if (poll.hasAnswer && poll.isAnswered(await this.versions.read(access), access)) return undefined;
    const row = await this.alerts.find(access, wanted);
    if (row === null) throw notFound(id);
    poll.tag(dataVersionOf(row.positions), access);
    return { alert: toDetail(row) };
  }

  @Get('timeline')
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({ operationId: 'listTimelineEvents', summary: "One alert's timeline, in the order of time" })
  @ApiParam(ALERT_ID)
  @ConditionalAnswer(TimelineAnswer)
  @ErrorResponses('notFound')
  async listTimelineEvents(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<string | undefined> {
    const wanted = alertId(id);
    if (poll.hasAnswer && poll.isAnswered(await this.versions.read(access), access)) return undefined;
    const row = await this.alerts.timeline(access, wanted);
    if (row === null) throw notFound(id);
    poll.tag(dataVersionOf(row.positions), access);
    return `{"timeline_events":[${row.docs}]}`;
  }
}

/** @throws {DomainError} `invalid_query` when it is no UUID */
function alertId(text: string): string {
  if (!isUuid(text)) {
    throw new DomainError(fleetErrors.invalidQuery, 'The alert id should be a UUID, as the list gives it.');
  }
  return text;
}

function notFound(id: string): DomainError {
  return new DomainError(fleetErrors.notFound, `There is no alert ${id}.`);
}

function toDetail(row: AlertDetailRow): AlertDetail {
  const { gpu_model: _model, gpu_serial: _serial, ...item } = parseAlertDoc(row.doc);
  return {
    ...item,
    workspace_name: row.workspace_name ?? '',
    customer_id: row.customer_id,
    // Illustrative placeholders by the contract (2.3): no logic may depend on them.
    summary_data: {
      alert_info: { title: item.title, description: item.description },
      alert_sequence: { steps: [] },
    },
    resource_details: JSON.parse(row.resource_details) as ResourceDetails,
    correlated_alerts: { correlated_alerts: [] },
    ...(row.session_id !== null && row.host_id !== null
      ? { session_id: row.session_id, host_id: row.host_id }
      : {}),
  };
}
