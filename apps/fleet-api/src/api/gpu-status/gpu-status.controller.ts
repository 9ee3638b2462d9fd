import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiExportableList } from '../exports/api-exportable-list.ts';
import { ListResponder } from '../exports/list-responder.ts';
import type { SentBody } from '../http-cache/conditional-responder.ts';
import { changingByMinute } from '../http-cache/conditional-response.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { GpuStatusQuery } from './gpu-status.dto.ts';
import { GPU_STATUS_CSV_COLUMNS, GpuStatusListModel } from './gpu-status.models.ts';
import { GpuStatusService } from './gpu-status.service.ts';
import { parseStatusFilter } from './status-filter.ts';

/** See docs/fleet-api.md#list-gpu-status. */
@ApiTags('GPUs')
@ApiAuthenticated()
@Controller('api/v1/gpu-status')
export class GpuStatusController {
  constructor(
    private readonly gpus: GpuStatusService,
    private readonly lists: ListResponder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List GPUs with their health, why, and since when',
    description:
      'Newest readings and means of a window, the first reason with what to do, filters and sorts: the worst, the hottest or idle GPUs in one request.',
  })
  @ApiExportableList(GpuStatusListModel, 'weak')
  @ErrorResponses('invalidCursor')
  listGpuStatus(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: GpuStatusQuery,
  ): Promise<SentBody> {
    const filter = parseStatusFilter(query);
    return this.lists.sendPages(reply, query, {
      columns: GPU_STATUS_CSV_COLUMNS,
      pageResponse: (page, options) => changingByMinute(() => this.gpus.list(access, filter, page, options)),
    });
  }
}
