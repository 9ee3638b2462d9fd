import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { parseStatusFilter } from '../gpu-status/status-filter.ts';
import { StatusQuery } from '../gpu-status/status-query.dto.ts';
import { ApiExportableList } from '../exports/api-exportable-list.ts';
import { ListResponder } from '../exports/list-responder.ts';
import { telemetryWindow } from '../gpus/telemetry-window.ts';
import { ApiConditionalGet } from '../http-cache/api-conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import { changingByMinute } from '../http-cache/conditional-response.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { HostQuery } from './hosts.dto.ts';
import { HOST_CSV_COLUMNS, HostListModel, HostResponse } from './hosts.models.ts';
import { HostsService } from './hosts.service.ts';

@ApiTags('Hosts')
@ApiAuthenticated()
@Controller('api/v1/hosts')
export class HostsController {
  constructor(
    private readonly hosts: HostsService,
    private readonly responder: ConditionalResponder,
    private readonly lists: ListResponder,
  ) {}

  /** See docs/fleet-api.md#list-hosts. */
  @Get()
  @ApiOperation({
    summary: 'List hosts, the worst first',
    description:
      'Every host with the health of its GPUs, the first reason and what to do, newest readings and means, and alerts. With `page_size=1`, the worst host alone.',
  })
  @ApiExportableList(HostListModel, 'weak')
  @ErrorResponses('invalidCursor')
  listHosts(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: StatusQuery,
  ): Promise<SentBody> {
    const filter = parseStatusFilter(query);
    return this.lists.sendPages(reply, query, {
      columns: HOST_CSV_COLUMNS,
      pageResponse: (page, options) => changingByMinute(() => this.hosts.list(access, filter, page, options)),
    });
  }

  /** See docs/fleet-api.md#get-a-host. */
  @Get(':hostname')
  @ApiOperation({
    summary: 'Get a host with its GPUs and jobs',
    description:
      'All GPUs of a host with all reasons for their health, the jobs that run now and ran in the window, alerts by severity, CPU and uptime.',
  })
  @ApiParam({ name: 'hostname', description: 'As returned by the list, percent-encoded.' })
  @ApiConditionalGet(HostResponse, 'weak')
  @ErrorResponses('notFound')
  getHost(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('hostname') hostname: string,
    @Query() query: HostQuery,
  ): Promise<SentBody> {
    const window = telemetryWindow(query);
    return this.responder.send(
      reply,
      changingByMinute(() => this.hosts.find(access, parseScopeFilter(query), hostname, window)),
    );
  }
}
