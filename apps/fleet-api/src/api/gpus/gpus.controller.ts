import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ExportableList, Listed } from '../exports/exportable-list.ts';
import { ListRequest } from '../exports/list-request.ts';
import type { SentBody } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { GpusQuery } from './gpus.dto.ts';
import { GpuListModel } from './gpus.models.ts';
import { GpusService } from './gpus.service.ts';
import { telemetryWindow } from './telemetry-window.ts';

/** See docs/fleet-api.md#list-gpus. */
@ApiTags('GPUs')
@Authenticated()
@Controller('api/v1/gpus')
export class GpusController {
  constructor(private readonly gpus: GpusService) {}

  @Get()
  @ApiOperation({
    operationId: 'listGpus',
    summary: 'List GPUs, unhealthy ones first',
    description:
      'Every GPU with its health and its newest readings. With `view=basic` and a `page_size`, the response stays small.',
  })
  @ExportableList(GpuListModel, 'weak')
  @ErrorResponses()
  async listGpus(
    @CurrentCaller() { access }: Caller,
    @Listed() request: ListRequest,
    @Query() query: GpusQuery,
  ): Promise<SentBody> {
    const listing = {
      filter: parseScopeFilter(query),
      window: telemetryWindow(query.from, query.to),
      hasSeries: query.view !== 'basic',
      isExport: request.isExport,
    };
    const limit = query.page_size === undefined ? null : Number(query.page_size);
    return request.isExport
      ? request.sendExport(query, this.gpus.export(access, listing, limit))
      : request.send(this.gpus.list(access, listing, limit));
  }
}
