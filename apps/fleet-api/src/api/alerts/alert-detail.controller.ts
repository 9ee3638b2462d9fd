import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { isUuid } from '@gpu-observatory/domain-types';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ALERT_DATA, ALL_DATA } from '../data-version/data-version.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { ConditionalGet } from '../http-cache/conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { AlertDetailResponse, TimelineResponse } from './alert-detail.models.ts';
import { AlertDetailService, toDetail } from './alert-detail.service.ts';

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
@Authenticated()
@Controller('api/v1/alerts/:id')
export class AlertDetailController {
  constructor(
    private readonly alerts: AlertDetailService,
    private readonly versions: CoalescedDataVersions,
    private readonly responder: ConditionalResponder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get an alert with its details',
    description:
      'The process, memory, workload, GPU, node and container that the alert is about; null for a section without data.',
  })
  @ApiParam(ALERT_ID)
  @ConditionalGet(AlertDetailResponse)
  @ErrorResponses('notFound')
  async getAlert(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<SentBody> {
    assertUuid(id);
    return this.responder.send(reply, {
      // The detail also contains telemetry: the inventory of the GPU and the name of the workspace.
      readValidators: async () => ({ data: await this.versions.readForCaller(access, ALL_DATA) }),
      compute: async () => {
        const row = foundAlert(id, await this.alerts.find(access, id));
        return { data: row.data, body: { alert: toDetail(row) } };
      },
    });
  }

  @Get('timeline')
  @ApiOperation({
    summary: "List an alert's timeline events, oldest first",
    description: 'What the processes around the alert did: starts, file accesses, connections and GPU calls.',
  })
  @ApiParam(ALERT_ID)
  @ConditionalGet(TimelineResponse)
  @ErrorResponses('notFound')
  async listTimelineEvents(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<SentBody> {
    assertUuid(id);
    return this.responder.send(reply, {
      readValidators: async () => ({ data: await this.versions.readForCaller(access, ALERT_DATA) }),
      compute: async () => {
        const row = foundAlert(id, await this.alerts.timeline(access, id));
        return { data: row.data, body: Buffer.from(`{"timeline_events":[${row.docs}]}`) };
      },
    });
  }
}

function assertUuid(id: string): void {
  if (!isUuid(id))
    throw new DomainError(fleetErrors.invalidQuery, `The alert id must be a UUID, got "${echo(id)}".`);
}

/** @throws {DomainError} `not_found` when `row` is null */
function foundAlert<Row>(id: string, row: Row | null): Row {
  if (row === null) throw new DomainError(fleetErrors.notFound, `There is no alert ${id}.`);
  return row;
}
