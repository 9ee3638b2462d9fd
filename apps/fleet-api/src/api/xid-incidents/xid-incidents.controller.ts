import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { DAY_MS } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/service-runtime/process';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiExportableList } from '../exports/api-exportable-list.ts';
import { ListResponder } from '../exports/list-responder.ts';
import type { SentBody } from '../http-cache/conditional-responder.ts';
import { changingByMinute } from '../http-cache/conditional-response.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { DEFAULT_PAGE_SIZE } from '../query-parameters/parameters.ts';
import { requestedWindow } from '../query-parameters/requested-window.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { XidIncidentsQuery } from './xid-incidents.dto.ts';
import { groupCsvColumns, INCIDENT_CSV_COLUMNS, XidIncidentListModel } from './xid-incidents.models.ts';
import { type XidIncidentFilter, XidIncidentsService } from './xid-incidents.service.ts';

const DEFAULT_WINDOW_MS = 7 * DAY_MS;
/** Limit of an export, which is far above the number of codes, hosts or days of a customer. */
const MAX_EXPORTED_GROUPS = 100_000;

/** See docs/fleet-api.md#list-xid-incidents. */
@ApiTags('XID incidents')
@ApiAuthenticated()
@Controller('api/v1/xid-incidents')
export class XidIncidentsController {
  constructor(
    private readonly incidents: XidIncidentsService,
    private readonly lists: ListResponder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List XID incidents, or count them',
    description:
      'Errors of the NVIDIA driver, each with its GPU, host, alert, what to do and what ran at that time. With `group_by`, their numbers by code, host or day.',
  })
  @ApiExportableList(XidIncidentListModel, 'weak')
  @ErrorResponses('invalidCursor')
  listXidIncidents(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: XidIncidentsQuery,
  ): Promise<SentBody> {
    const { group_by: groupBy } = query;
    if (groupBy !== undefined && query.page_token !== undefined)
      throw new DomainError(fleetErrors.invalidQuery, 'group_by must not be given together with page_token.');
    const filter = parseFilter(query);
    return this.lists.sendPages(reply, query, {
      columns: groupBy === undefined ? INCIDENT_CSV_COLUMNS : groupCsvColumns(groupBy),
      pageResponse: (page, { isExport }) => {
        // Groups have no pages: `page_size` is the maximum number of groups.
        const maxGroups = Number(query.page_size ?? (isExport ? MAX_EXPORTED_GROUPS : DEFAULT_PAGE_SIZE));
        return changingByMinute(() =>
          groupBy === undefined
            ? this.incidents.list(access, filter, page, { isExport })
            : this.incidents.groups(access, filter, groupBy, maxGroups),
        );
      },
    });
  }
}

function parseFilter(query: XidIncidentsQuery): XidIncidentFilter {
  const options = { defaultMs: DEFAULT_WINDOW_MS, nowMs: Date.now() };
  const { fromMs, toMs } = requestedWindow(query, options);
  // The incidents of an alert may be older than the default window.
  const ignoresDefaultWindow = query.alert_id !== undefined && query.from === undefined;
  return {
    scope: parseScopeFilter(query),
    from: new Date(ignoresDefaultWindow ? 0 : fromMs),
    to: new Date(toMs),
    codes: query.code === undefined ? null : [...new Set(query.code.split(',').map(Number))],
    hostname: query.hostname ?? null,
    gpuId: query.gpu_id ?? null,
    alertId: query.alert_id ?? null,
  };
}
