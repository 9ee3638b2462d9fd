import type { Readable } from 'node:stream';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DAY_MS, MINUTE_MS, parseTimestamp } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/service-runtime/process';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { Conditional, ConditionalGet } from '../http-cache/conditional-get.ts';
import { ConditionalRequest } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { boundQueryOf } from '../paging/page-token.ts';
import { readScopeFilter } from '../query-parameters/scope-filter.ts';
import { requireWindowOrder } from '../query-parameters/window-order.ts';
import { DEFAULT_PAGE_SIZE, XidIncidentsQuery } from './xid-incidents.dto.ts';
import { XidIncidentListModel } from './xid-incidents.models.ts';
import { type XidIncidentFilter, XidIncidentsService } from './xid-incidents.service.ts';

const DEFAULT_WINDOW_MS = 7 * DAY_MS;

/** See docs/fleet-api.md#list-xid-incidents. */
@ApiTags('XID incidents')
@Authenticated()
@Controller('api/v1/xid-incidents')
export class XidIncidentsController {
  constructor(private readonly incidents: XidIncidentsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listXidIncidents',
    summary: 'List XID incidents, or count them',
    description:
      'Errors of the NVIDIA driver, each with its GPU, host, alert, what to do and what ran at that time. With `group_by`, their numbers by code, host or day.',
  })
  @ConditionalGet(XidIncidentListModel, 'weak')
  @ErrorResponses('invalidCursor')
  listXidIncidents(
    @CurrentCaller() { access }: Caller,
    @Conditional() request: ConditionalRequest,
    @Query() query: XidIncidentsQuery,
  ): Promise<Buffer | Readable | undefined> {
    if (query.group_by !== undefined && query.page_token !== undefined)
      throw new DomainError(fleetErrors.invalidQuery, 'group_by must not be given together with page_token.');
    const size = query.page_size === undefined ? DEFAULT_PAGE_SIZE : Number(query.page_size);
    // The window moves with the clock; within a minute the difference is negligible.
    const minute = Math.floor(Date.now() / MINUTE_MS);
    return request.respond({
      build: async () => {
        const { group_by: groupBy, page_token: token } = query;
        const filter = readFilter(query);
        const read =
          groupBy === undefined
            ? await this.incidents.list(access, filter, {
                size,
                token,
                boundQuery: boundQueryOf({ ...query }),
              })
            : await this.incidents.groups(access, filter, groupBy, size);
        return { ...read, variant: minute };
      },
    });
  }
}

function readFilter(query: XidIncidentsQuery): XidIncidentFilter {
  const toMs = parseTimestamp(query.to ?? '')?.getTime() ?? Date.now();
  const fromMs = parseTimestamp(query.from ?? '')?.getTime();
  requireWindowOrder({ text: query.from, ms: fromMs }, { text: query.to, ms: toMs });
  return {
    scope: readScopeFilter(query),
    fromMs: fromMs ?? (query.alert_id === undefined ? toMs - DEFAULT_WINDOW_MS : 0),
    toMs,
    codes: query.code === undefined ? null : [...new Set(query.code.split(',').map(Number))],
    hostname: query.hostname ?? null,
    gpuId: query.gpu_id ?? null,
    alertId: query.alert_id ?? null,
  };
}
