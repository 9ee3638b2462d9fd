import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ExportableList, Listed } from '../exports/exportable-list.ts';
import { ListRequest } from '../exports/list-request.ts';
import { Conditional, ConditionalGet } from '../http-cache/conditional-get.ts';
import { ConditionalRequest, type SentBody } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { GpuDetailResponse } from './gpu-detail.models.ts';
import { GPU_ID } from './gpu-id.ts';
import { GpusQuery } from './gpus.dto.ts';
import { GpuListModel } from './gpus.models.ts';
import { GpusService } from './gpus.service.ts';
import { telemetryWindow } from './telemetry-window.ts';

@ApiTags('GPUs')
@Authenticated()
@Controller('api/v1/gpus')
export class GpusController {
  constructor(private readonly gpus: GpusService) {}

  /** See docs/fleet-api.md#list-gpus. */
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

  /** See docs/fleet-api.md#get-a-gpu. */
  @Get(':id')
  @ApiOperation({
    operationId: 'getGpu',
    summary: 'Get a GPU with its details',
    description:
      'Health with the rule and reading behind it, telemetry of the last 24 hours, processes, XID errors and security alerts.',
  })
  @ApiParam(GPU_ID)
  @ConditionalGet(GpuDetailResponse, 'weak')
  @ErrorResponses('notFound')
  getGpu(
    @CurrentCaller() { access }: Caller,
    @Conditional() request: ConditionalRequest,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<SentBody> {
    return request.send(this.gpus.detail(access, id));
  }
}
