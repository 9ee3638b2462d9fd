import type { Readable } from 'node:stream';
import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { CurrentPoll, Poll } from '../http-cache/conditional-request.ts';
import { ConditionalAnswer } from '../openapi/conditional-response.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { gpuListOf, gpuListText, ROWS_AT_ONCE } from './gpu-list.ts';
import { GpusQuery } from './gpus.dto.ts';
import { GpuListModel } from './gpus.models.ts';
import { type FleetState, type GpuScope, GpusQueries } from './gpus.queries.ts';
import { telemetryWindow } from './telemetry-window.ts';

@ApiTags('gpus')
@ApiBearerAuth('bearer')
@Controller('api/v1/gpus')
export class GpusController {
  constructor(private readonly gpus: GpusQueries) {}

  /** Contract 4.3: every GPU in scope, what needs a person first. */
  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({ operationId: 'listGpus', summary: 'The GPU fleet' })
  @ConditionalAnswer(GpuListModel, 'Weak')
  @ErrorResponses()
  async listGpus(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Query() query: GpusQuery,
  ): Promise<string | Readable | undefined> {
    const scope = readScope(query);
    const window = telemetryWindow(query.from, query.to);
    // Health and an open window move with the clock: where they have come to is a part of the answer's name.
    const nameOf = ({ healthChangedMs }: FleetState) => ({
      more: [healthChangedMs, window.fromMs, window.toMs],
      strength: 'weak' as const,
    });
    if (poll.hasAnswer) {
      const state = await this.gpus.state(access, scope);
      if (poll.isAnswered(state.data, access, nameOf(state))) return undefined;
    }
    const limit = number(query.page_size) ?? null;
    const measures = { window, series: query.view !== 'basic' };
    if (limit !== null && limit <= ROWS_AT_ONCE) {
      const { rows, ...state } = await this.gpus.page(access, scope, limit, measures);
      poll.tag(state.data, access, nameOf(state));
      return gpuListOf(rows);
    }
    const { places, ...state } = await this.gpus.places(access, scope, limit);
    const list = await gpuListText(places, (some) => this.gpus.rows(access, scope, some, measures));
    // Rows are read after their places, and may be newer than the data of the name; never older.
    poll.tag(state.data, access, nameOf(state));
    return list;
  }
}

function readScope(query: GpusQuery): GpuScope {
  const customerId = number(query.customer_id);
  const workspaceId = number(query.workspace_id);
  return {
    filter: {
      ...(customerId === undefined ? {} : { customerId }),
      ...(workspaceId === undefined ? {} : { workspaceId }),
    },
    apiKeyId: number(query.api_key_id) ?? null,
  };
}

/** Past every id there is, an integer stays one: it is valid and matches nothing. */
function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
