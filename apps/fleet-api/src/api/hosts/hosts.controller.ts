import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { parseStatusFilter } from '../gpu-status/status-filter.ts';
import { StatusQuery } from '../gpu-status/status-query.dto.ts';
import { ExportableList, Listed } from '../exports/exportable-list.ts';
import { ListRequest } from '../exports/list-request.ts';
import { changingByMinute, type SentBody } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { HOST_CSV_COLUMNS, HostListModel } from './hosts.models.ts';
import { HostsService } from './hosts.service.ts';

/** See docs/fleet-api.md#list-hosts. */
@ApiTags('Hosts')
@Authenticated()
@Controller('api/v1/hosts')
export class HostsController {
  constructor(private readonly hosts: HostsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listHosts',
    summary: 'List hosts, the worst first',
    description:
      'Every host with the health of its GPUs, the first reason and what to do, newest readings beside means, and alerts. With `page_size=1`, the worst host alone.',
  })
  @ExportableList(HostListModel, 'weak')
  @ErrorResponses('invalidCursor')
  listHosts(
    @CurrentCaller() { access }: Caller,
    @Listed() request: ListRequest,
    @Query() query: StatusQuery,
  ): Promise<SentBody> {
    const filter = parseStatusFilter(query);
    return request.sendPages(query, {
      columns: HOST_CSV_COLUMNS,
      pageResponse: (page) => changingByMinute(() => this.hosts.list(access, filter, page, request)),
    });
  }
}
