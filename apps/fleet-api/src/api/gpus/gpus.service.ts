import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { XidCatalog } from '../../model/health/xid-catalog.ts';
import type { ExportedList } from '../exports/exported-list.ts';
import {
  type ConditionalResponse,
  currentMinute,
  type Validators,
} from '../http-cache/conditional-response.ts';
import { toGpuDetail } from './gpu-detail.ts';
import { gpuListBody, gpuPages, MAX_ROWS_PER_READ, streamGpuList } from './gpu-list.ts';
import { gpuCsvColumns } from './gpus.models.ts';
import { type FleetState, type GpuListing, GpusQueries, type RankedGpu } from './gpus.queries.ts';

/** Reads GPUs. A short list is read with one statement. For a long one, the order is read first, then the rows in batches. */
@Injectable()
export class GpusService {
  constructor(
    private readonly queries: GpusQueries,
    private readonly xids: XidCatalog,
  ) {}

  /** @param limit maximum number of rows; null for all */
  list(access: Access, listing: GpuListing, limit: number | null): ConditionalResponse {
    const readRows = (ranked: readonly RankedGpu[]) => this.queries.rows(access, listing, ranked);
    return {
      isWeak: true,
      readValidators: () => this.readValidators(access, listing),
      compute: async () => {
        if (limit !== null && limit <= MAX_ROWS_PER_READ) {
          const { rows, ...state } = await this.queries.firstRows(access, listing, limit);
          return { ...validatorsOf(state, listing), body: gpuListBody(rows) };
        }
        const { ranked, ...state } = await this.queries.ranked(access, listing, limit);
        // Rows are read after the order, so they may be newer than the data of the entity tag, but never older.
        return { ...validatorsOf(state, listing), body: await streamGpuList(ranked, readRows) };
      },
    };
  }

  /** @param limit as for `list` */
  export(access: Access, listing: GpuListing, limit: number | null): ExportedList {
    const readRows = (ranked: readonly RankedGpu[]) =>
      this.queries.rows(access, listing, ranked, { isExport: true });
    return {
      columns: gpuCsvColumns(listing),
      isWeak: true,
      readValidators: () => this.readValidators(access, listing),
      readPages: async () => {
        const { ranked, ...state } = await this.queries.ranked(access, listing, limit);
        return { ...validatorsOf(state, listing), pages: gpuPages(ranked, readRows) };
      },
    };
  }

  detail(access: Access, id: string): ConditionalResponse {
    return {
      isWeak: true,
      compute: async () => {
        const row = await this.queries.detail(access, id);
        return {
          data: row.data,
          // The last 24 hours and the health (a GPU goes missing) change with the clock. Within a minute, only the health matters.
          variant: [row.health, currentMinute()],
          body: { gpu: toGpuDetail(row, this.xids) },
        };
      },
    };
  }

  private async readValidators(access: Access, listing: GpuListing): Promise<Validators> {
    return validatorsOf(await this.queries.state(access, listing), listing);
  }
}

/** Returns the validators of a list. Its health and a window without `to` change with the clock. */
function validatorsOf({ data, healthChangedMs }: FleetState, { window }: GpuListing): Validators {
  return { data, variant: [healthChangedMs, window.fromMs, window.toMs] };
}
