import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import type { ExportedList } from '../exports/list-request.ts';
import type { ConditionalResponse, Validators } from '../http-cache/conditional-request.ts';
import { gpuListBody, gpuPages, MAX_ROWS_PER_READ, streamGpuList } from './gpu-list.ts';
import { gpuCsvColumns } from './gpus.models.ts';
import { type FleetState, type GpuListing, GpusQueries, type RankedGpu } from './gpus.queries.ts';

/** Lists GPUs. A short list is read with one statement. For a long one, the order is read first, then the rows in batches. */
@Injectable()
export class GpusService {
  constructor(private readonly queries: GpusQueries) {}

  /** @param limit maximum number of rows; null for all */
  list(access: Access, listing: GpuListing, limit: number | null): ConditionalResponse {
    return {
      readValidators: () => this.readValidators(access, listing),
      compute: async () => {
        if (limit !== null && limit <= MAX_ROWS_PER_READ) {
          const { rows, ...state } = await this.queries.firstRows(access, listing, limit);
          return { ...validatorsOf(state, listing), body: gpuListBody(rows) };
        }
        const { ranked, ...state } = await this.queries.ranked(access, listing, limit);
        // Rows are read after the order, so they may be newer than the data of the entity tag, but never older.
        const body = await streamGpuList(ranked, this.rowReader(access, listing));
        return { ...validatorsOf(state, listing), body };
      },
    };
  }

  /** @param limit as for `list` */
  export(access: Access, listing: GpuListing, limit: number | null): ExportedList {
    return {
      columns: gpuCsvColumns(listing),
      readValidators: () => this.readValidators(access, listing),
      readPages: async () => {
        const { ranked, ...state } = await this.queries.ranked(access, listing, limit);
        return { ...validatorsOf(state, listing), pages: gpuPages(ranked, this.rowReader(access, listing)) };
      },
    };
  }

  private async readValidators(access: Access, listing: GpuListing): Promise<Validators> {
    return validatorsOf(await this.queries.state(access, listing), listing);
  }

  private rowReader(access: Access, listing: GpuListing) {
    return (ranked: readonly RankedGpu[]) => this.queries.rows(access, listing, ranked);
  }
}

/** Returns the validators of a list. Its health and a window without `to` change with the clock. */
function validatorsOf({ data, healthChangedMs }: FleetState, { window }: GpuListing): Validators {
  return { data, variant: [healthChangedMs, window.fromMs, window.toMs] };
}
