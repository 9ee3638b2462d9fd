import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { GpuDetail } from '@gpu-observatory/domain-types';
import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { dataVersionOf } from '../data-version/data-version.ts';
import { CurrentPoll, Poll } from '../http-cache/conditional-request.ts';
import { ConditionalAnswer } from '../openapi/conditional-response.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { toGpuDetail } from './gpu-detail.ts';
import { GpuDetailAnswer } from './gpu-detail.models.ts';
import { GpuDetailQueries } from './gpu-detail.queries.ts';

const MINUTE_MS = 60_000;

@ApiTags('gpus')
@ApiBearerAuth('bearer')
@Controller('api/v1/gpus/:id')
export class GpuDetailController {
  constructor(private readonly gpus: GpuDetailQueries) {}

  /** Contract 4.3: the id exactly as the list gives it, raw or percent-encoded; a bare PCIe address is none. */
  @Get()
  @ApiOperation({ operationId: 'getGpu', summary: 'One GPU in full' })
  @ApiParam({ name: 'id', description: 'GPU-… or host|pci|guest, as the list gives it.' })
  @ConditionalAnswer(GpuDetailAnswer, 'Weak')
  @ErrorResponses('notFound')
  async getGpu(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ): Promise<{ gpu: GpuDetail }> {
    const row = await this.gpus.find(access, id);
    if (row === null) {
      throw new DomainError(
        fleetErrors.notFound,
        `There is no GPU ${id}; ids have the form GPU-… or host|pci|guest, as the list gives them.`,
      );
    }
    // What it says of the last 24 hours moves with the clock: for a minute it is as good as the same.
    const minute = Math.floor(Date.now() / MINUTE_MS);
    poll.tag(dataVersionOf(row.positions), access, { more: [row.health, minute], strength: 'weak' });
    return { gpu: toGpuDetail(row) };
  }
}
