import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { GPU_ID } from '../gpus/gpu-id.ts';
import { ApiConditionalGet } from '../http-cache/api-conditional-get.ts';
import { ConditionalResponder, type SentBody } from '../http-cache/conditional-responder.ts';
import { changingByMinute } from '../http-cache/conditional-response.ts';
import { ApiAuthenticated } from '../openapi/api-authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { GpuHistoryQuery } from './gpu-history.dto.ts';
import { GpuHistoryModel } from './gpu-history.models.ts';
import { GpuHistoryService } from './gpu-history.service.ts';
import { historyWindow } from './history-window.ts';

/** See docs/fleet-api.md#gpu-history. */
@ApiTags('GPUs')
@ApiAuthenticated()
@Controller('api/v1/gpu-history/:id')
export class GpuHistoryController {
  constructor(
    private readonly histories: GpuHistoryService,
    private readonly responder: ConditionalResponder,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Get the readings and jobs of a GPU in a window',
    description:
      'Means of all readings in at most 400 even steps, and the processes, pods and jobs that ran, with namespace and owner.',
  })
  @ApiParam(GPU_ID)
  @ApiConditionalGet(GpuHistoryModel, 'weak')
  @ErrorResponses('notFound')
  getGpuHistory(
    @CurrentCaller() { access }: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() query: GpuHistoryQuery,
  ): Promise<SentBody> {
    const window = historyWindow(query);
    return this.responder.send(
      reply,
      changingByMinute(() => this.histories.find(access, id, window)),
    );
  }
}
