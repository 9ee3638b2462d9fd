import type { Readable } from 'node:stream';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MINUTE_MS } from '@gpu-observatory/domain-types';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ExportableList, Listed } from '../exports/exportable-list.ts';
import { ListRequest } from '../exports/list-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { GpuStatusQuery } from './gpu-status.dto.ts';
import { GPU_STATUS_CSV_COLUMNS, GpuStatusListModel } from './gpu-status.models.ts';
import { GpuStatusService } from './gpu-status.service.ts';
import { parseStatusFilter, readStatusPage } from './status-filter.ts';

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
  ): Promise<Buffer | Readable | undefined> {
    const filter = { ...parseStatusFilter(query), hostname: query.hostname ?? null };
    // Health and an open window move with the clock; within a minute the difference is negligible.
    const minute = Math.floor(Date.now() / MINUTE_MS);
    return request.respondWithPages(query, {
      columns: GPU_STATUS_CSV_COLUMNS,
      read: (page) => ({
        build: async () => ({
          ...(await this.gpus.list(access, filter, readStatusPage('gpu-status', { ...page }), request)),
          variant: minute,
        }),
      }),
    });
  }
}
