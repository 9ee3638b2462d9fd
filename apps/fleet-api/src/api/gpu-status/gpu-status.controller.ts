import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ExportableList, Listed } from '../exports/exportable-list.ts';
import { ListRequest } from '../exports/list-request.ts';
import { changingByMinute, type SentBody } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { GpuStatusQuery } from './gpu-status.dto.ts';
import { GPU_STATUS_CSV_COLUMNS, GpuStatusListModel } from './gpu-status.models.ts';
import { GpuStatusService } from './gpu-status.service.ts';
import { parseStatusFilter } from './status-filter.ts';

/** See docs/fleet-api.md#list-gpu-status. */
@ApiTags('GPUs')
@Authenticated()
@Controller('api/v1/gpu-status')
export class GpuStatusController {
  constructor(private readonly gpus: GpuStatusService) {}

  @Get()
  @ApiOperation({
    operationId: 'listGpuStatus',
    summary: 'List GPUs with their health, why, and since when',
    description:
      'Newest readings beside means of a window, the first reason with what to do, filters and sorts: the worst, the hottest or idle GPUs in one request.',
  })
  @ExportableList(GpuStatusListModel, 'weak')
  @ErrorResponses('invalidCursor')
  listGpuStatus(
    @CurrentCaller() { access }: Caller,
    @Listed() request: ListRequest,
    @Query() query: GpuStatusQuery,
  ): Promise<SentBody> {
    const filter = parseStatusFilter(query);
    return request.sendPages(query, {
      columns: GPU_STATUS_CSV_COLUMNS,
      pageResponse: (page) => changingByMinute(() => this.gpus.list(access, filter, page, request)),
    });
  }
}
