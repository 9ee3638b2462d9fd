import type { Readable } from 'node:stream';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Caller } from '@gpu-observatory/token-verification';
import { CurrentCaller } from '@gpu-observatory/token-verification/guard';
import { ExportableList, Listed } from '../exports/exportable-list.ts';
import { ListRequest } from '../exports/list-request.ts';
import { Authenticated } from '../openapi/authenticated.ts';
import { ErrorResponses } from '../openapi/error-responses.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { gpuListBody, gpuPages, MAX_ROWS_PER_READ, streamGpuList } from './gpu-list.ts';
import { GpusQuery } from './gpus.dto.ts';
import { gpuCsvColumns, GpuListModel } from './gpus.models.ts';
import { type FleetState, GpusService, type RankedGpu } from './gpus.service.ts';
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
  ): Promise<Buffer | Readable | undefined> {
    const filter = parseScopeFilter(query);
    const window = telemetryWindow(query.from, query.to);
    const limit = query.page_size === undefined ? null : Number(query.page_size);
    const columns = { window, series: query.view !== 'basic' };
    // Health and an open window change with the clock.
    const toValidators = ({ data, healthChangedMs }: FleetState) => ({
      data,
      variant: [healthChangedMs, window.fromMs, window.toMs],
    });
    const readValidators = async () => toValidators(await this.gpus.state(access, filter));
    const readRanked = async () => {
      const { ranked, ...state } = await this.gpus.ranked(access, filter, limit);
      return { ...toValidators(state), ranked };
    };
    const readRows = (ranked: readonly RankedGpu[]) =>
      this.gpus.rows(access, filter, ranked, { ...columns, isExport: request.isExport });
    if (request.isExport)
      return request.sendExport(query, {
        columns: gpuCsvColumns(columns),
        readValidators,
        readPages: async () => {
          const { ranked, ...validators } = await readRanked();
          return { ...validators, pages: gpuPages(ranked, readRows) };
        },
      });
    return request.send({
      readValidators,
      compute: async () => {
        if (limit !== null && limit <= MAX_ROWS_PER_READ) {
          const { rows, ...state } = await this.gpus.page(access, filter, limit, columns);
          return { ...toValidators(state), body: gpuListBody(rows) };
        }
        const { ranked, ...validators } = await readRanked();
        // Rows are read after the ranks, so they may be newer than the data of the entity tag, never older.
        return { ...validators, body: await streamGpuList(ranked, readRows) };
      },
    });
  }
}
