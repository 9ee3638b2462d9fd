import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiTags } from '@nestjs/swagger';
import { formatTimestamp, type GpuRow } from '@gpu-observatory/domain-types';
import { type Caller, CurrentCaller } from '@gpu-observatory/token-verification';
import { DataVersionQueries } from '../freshness/data-version.ts';
import { CurrentPoll, Poll } from '../freshness/poll.ts';
import { DatedAnswer } from '../openapi/conditional-answer.ts';
import { FailureAnswers } from '../openapi/failure-answers.ts';
import { GpusQuery } from './gpus.dto.ts';
import { GpuListModel } from './gpus.models.ts';
import { type GpuListRow, GpusQueries } from './gpus.queries.ts';
import { telemetryWindow } from './telemetry-window.ts';

@ApiTags('gpus')
@ApiBearerAuth('bearer')
@Controller('api/v1/gpus')
export class GpusController {
  constructor(
    private readonly gpus: GpusQueries,
    private readonly versions: DataVersionQueries,
  ) {}

  /**
   * Contract 4.3: every GPU in scope, what needs a person first. It has no entity tag: health and the window move with the
   * clock, with or without an import.
   */
  @Get()
  @ApiOperation({ operationId: 'listGpus', summary: 'The GPU fleet' })
  @DatedAnswer(GpuListModel)
  @FailureAnswers()
  async listGpus(
    @CurrentCaller() { access }: Caller,
    @CurrentPoll() poll: Poll,
    @Query() query: GpusQuery,
  ): Promise<{ gpus: GpuRow[] }> {
    // Past every id there is, an integer stays one: it is valid and matches nothing.
    const number = (text: string | undefined) =>
      text === undefined ? undefined : Math.min(Number(text), Number.MAX_SAFE_INTEGER);
    const customerId = number(query.customer_id);
    const workspaceId = number(query.workspace_id);
    const window = telemetryWindow(query.from, query.to);
    // Before the rows: they may be newer than it says, and never older.
    poll.dateData(await this.versions.read(access));
    const rows = await this.gpus.list(access, {
      window,
      series: query.view !== 'basic',
      limit: number(query.page_size) ?? null,
      filter: {
        ...(customerId === undefined ? {} : { customerId }),
        ...(workspaceId === undefined ? {} : { workspaceId }),
      },
      apiKeyId: number(query.api_key_id) ?? null,
    });
    return { gpus: rows.map((row) => toGpuRow(row, query.view !== 'basic')) };
  }
}

function toGpuRow(row: GpuListRow, series: boolean): GpuRow {
  return {
    gpu_id: row.gpu_id,
    workspace_id: row.workspace_id,
    vendor: row.vendor,
    model: row.model,
    compute_stack: row.compute_stack,
    driver_version: row.driver_version,
    health: row.health,
    hostname: row.hostname,
    pcie_address: row.pcie_address,
    serial_no: row.serial_no,
    utilization_pct: row.utilization_pct,
    temperature_c: row.temperature_c,
    xid_errors: row.xid_errors,
    ...(series ? { utilization_series: row.utilization_series ?? [] } : {}),
    last_seen: formatTimestamp(row.last_seen),
  };
}
