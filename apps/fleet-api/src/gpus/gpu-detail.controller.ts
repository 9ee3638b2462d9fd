import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { GpuDetail } from '@gpu-observatory/domain-types';
import { DomainError, fleetFailures } from '@gpu-observatory/error-envelopes';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { FailureAnswers } from '../openapi/failure-answers.ts';
import { NoQuery } from '../query-parameters/no-query.ts';
import { toGpuDetail } from './gpu-detail.ts';
import { GpuDetailAnswer } from './gpu-detail.models.ts';
import { GpuDetailQueries } from './gpu-detail.queries.ts';

@ApiTags('gpus')
@ApiBearerAuth('bearer')
@Controller('api/v1/gpus/:id')
export class GpuDetailController {
  constructor(private readonly gpus: GpuDetailQueries) {}

  /** Contract 4.3: the id exactly as the list gives it, raw or percent-encoded; a bare PCIe address is none. */
  @Get()
  @ApiOperation({ operationId: 'getGpu', summary: 'One GPU in full' })
  @ApiParam({ name: 'id', description: 'GPU-… or host|pci|guest, as the list gives it.' })
  @ApiOkResponse({ type: GpuDetailAnswer })
  @FailureAnswers('notFound')
  async getGpu(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() _query: NoQuery,
  ): Promise<{ gpu: GpuDetail }> {
    const row = await this.gpus.find(caller.access, id);
    if (row === null) {
      throw new DomainError(
        fleetFailures.notFound,
        `There is no GPU ${id}; ids have the form GPU-… or host|pci|guest, as the list gives them.`,
      );
    }
    return { gpu: toGpuDetail(row) };
  }
}
