import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { XidCatalog } from '../../model/health/xid-catalog.ts';
import { Conditional, ConditionalGet } from '../http-cache/conditional-get.ts';
import { ConditionalRequest, currentMinute, type SentBody } from '../http-cache/conditional-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { toGpuDetail } from './gpu-detail.ts';
import { foundGpu, GPU_ID } from './gpu-id.ts';
import { GpuDetailResponse } from './gpu-detail.models.ts';
import { GpuDetailService } from './gpu-detail.service.ts';

/** See docs/fleet-api.md#get-a-gpu. */
@ApiTags('GPUs')
@Authenticated()
@Controller('api/v1/gpus/:id')
export class GpuDetailController {
  constructor(
    private readonly gpus: GpuDetailService,
    private readonly xids: XidCatalog,
  ) {}

  @Get()
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
    return request.send({
      compute: async () => {
        const row = foundGpu(id, await this.gpus.find(access, id));
        return {
          data: row.data,
          // The last 24 hours and the health (a GPU goes missing) change with the clock. Within a minute, only the health matters.
          variant: [row.health, currentMinute()],
          body: { gpu: toGpuDetail(row, this.xids) },
        };
      },
    });
  }
}
