import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ApiExportableList } from '../exports/api-exportable-list.ts';
import { ListResponder } from '../exports/list-responder.ts';
import { ApiConditionalGet } from '../http-cache/api-conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { GpuDetailResponse } from './gpu-detail.models.ts';
import { GPU_ID } from './gpu-id.ts';
import { GpusQuery } from './gpus.dto.ts';
import { GpuListModel } from './gpus.models.ts';
import { GpusService } from './gpus.service.ts';
import { telemetryWindow } from './telemetry-window.ts';

@ApiTags('GPUs')
@ApiAuthenticated()
@Controller('api/v1/gpus')
export class GpusController {
  constructor(
    private readonly gpus: GpusService,
    private readonly responder: ConditionalResponder,
    private readonly lists: ListResponder,
  ) {}

  /** See docs/fleet-api.md#list-gpus. */
  @Get()
  @ApiOperation({
    summary: 'List GPUs, unhealthy ones first',
    description:
      'Every GPU with its health and its newest readings. With `view=basic` and a `page_size`, the response stays small.',
  })
  @ApiExportableList(GpuListModel, 'weak')
  @ErrorResponses()
  listGpus(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: GpusQuery,
  ): Promise<SentBody> {
    const listing = {
      filter: parseScopeFilter(query),
      window: telemetryWindow(query),
      hasSeries: query.view !== 'basic',
    };
    const limit = query.page_size === undefined ? null : Number(query.page_size);
    return this.lists.send(reply, query, {
      asJson: () => this.gpus.list(access, listing, limit),
      asExport: () => this.gpus.export(access, listing, limit),
    });
  }

  /** See docs/fleet-api.md#get-a-gpu. */
  @Get(':id')
  @ApiOperation({
    summary: 'Get a GPU with its details',
    description:
      'Health with the rule and reading behind it, telemetry of the last 24 hours, processes, XID errors and security alerts.',
  })
  @ApiParam(GPU_ID)
  @ApiConditionalGet(GpuDetailResponse, 'weak')
  @ErrorResponses('notFound')
  getGpu(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<SentBody> {
    return this.responder.send(reply, this.gpus.detail(access, id));
  }
}
