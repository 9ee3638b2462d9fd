import { Injectable } from '@nestjs/common';
import type { Access, GpuHealth } from '@gpu-observatory/domain-types';
import { type Series, seriesOf } from '../../model/gpu-days/read-telemetry.sql.ts';
import type { TimeWindow } from '../../model/time-window.ts';
import { accessScopes, type ScopeFilter, workspaceRangeOf } from '../access/access-scope.ts';
import type { ReadCost } from '../access/read-limiter.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import {
  ALL_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
  firstFound,
  type FoundRow,
} from '../data-version/data-version.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import type { GpuDetailRow } from './gpu-detail.ts';
import { GPU_DETAIL } from './gpu-detail.statements.ts';
import { byLastReport, unknownGpu } from './gpu-id.ts';
import {
  FIRST_ROWS,
  FLEET_STATE,
  RANKED_ALL,
  RANKED_FIRST,
  type RowParameters,
  ROWS,
} from './gpus.statements.ts';
import { windowParameters } from './telemetry-window.ts';

/** The GPUs that a request lists, and the columns of their rows. */
export interface GpuListing {
  filter: ScopeFilter;
  window: TimeWindow;
  /** Whether rows include `utilization_series`. */
  hasSeries: boolean;
}

/** A GPU in the order of a list. `health` and `rank` (`urgencySql`) are as of the time when the order was read. */
export type RankedGpu = [
  customerId: number,
  gpuId: string,
  health: GpuHealth,
  rank: number,
  hostname: string,
];

/** State that a list depends on, in addition to its query. */
export interface FleetState {
  data: DataVersion;
  /** Last time at which the clock changed the health of a GPU in scope, in ms since the epoch; null if it never did. */
  healthChangedMs: number | null;
}

interface StateRow {
  data_version: DataVersionRow | null;
  health_changed: Date | null;
}

/** Rows per value of the result. The driver reads the socket in blocks of 64 KiB; a value that fits into one block costs less. */
const ROWS_PER_CHUNK = 32;

@Injectable()
export class GpusQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Reads only the state that the validators of a list depend on. */
  async state(access: Access, { filter }: GpuListing): Promise<FleetState> {
    const rows = await this.tenants.query<StateRow>(
      access,
      (scope) => FLEET_STATE[workspaceRangeOf(scope)].with({}),
      { filter },
    );
    return toState(rows);
  }

  /** @throws {DomainError} `not_found` when the GPU does not exist or the caller may not read it */
  async detail(access: Access, id: string): Promise<GpuDetailRow & { data: DataVersion }> {
    const rows = await this.tenants.query<FoundRow<GpuDetailRow>>(access, () => GPU_DETAIL.with({ id }));
    return firstFound(rows, byLastReport, ALL_DATA, unknownGpu(id));
  }

  /**
   * Reads the first rows, in the order of `ranked`. One statement reads those of a single customer. For several customers, the order is
   * read first, so that only the first rows of all customers are rendered.
   */
  async firstRows(
    access: Access,
    listing: GpuListing,
    limit: number,
  ): Promise<FleetState & { rows: string[] }> {
    const { filter } = listing;
    if (accessScopes(access, filter).length > 1) {
      const { ranked, ...state } = await this.ranked(access, listing, limit);
      return { ...state, rows: [await this.rows(access, listing, ranked)] };
    }
    const parameters = { ...rowParameters(listing, ROWS_PER_CHUNK), limit };
    const rows = await this.tenants.query<StateRow & { rows: string | null }>(
      access,
      (scope) => FIRST_ROWS[workspaceRangeOf(scope)][seriesFor(listing)].with(parameters),
      { filter },
    );
    // Each row repeats the state of the customer.
    return { ...toState(rows.slice(0, 1)), rows: rows.flatMap((row) => row.rows ?? []) };
  }

  /**
   * Reads the ids of GPUs, sorted by urgency, hostname and gpu_id.
   *
   * @param limit maximum number of GPUs; null for all
   */
  async ranked(
    access: Access,
    { filter }: GpuListing,
    limit: number | null,
  ): Promise<FleetState & { ranked: RankedGpu[] }> {
    const lists = await this.tenants.query<StateRow & { ranked: RankedGpu[] }>(
      access,
      (scope) => {
        const range = workspaceRangeOf(scope);
        return limit === null ? RANKED_ALL[range].with({}) : RANKED_FIRST[range].with({ limit });
      },
      { filter },
    );
    const ranked = lists.flatMap((list) => list.ranked);
    return { ...toState(lists), ranked: lists.length > 1 ? mergeRanked(ranked, limit) : ranked };
  }

  /** Reads the rows of these GPUs in their order, with the health that they were ranked by. */
  async rows(
    access: Access,
    listing: GpuListing,
    ranked: readonly RankedGpu[],
    cost: Pick<ReadCost, 'isExport'> = {},
  ): Promise<string> {
    const { filter } = listing;
    const gpus = ranked.map(([customerId, gpuId, health], n) => ({ customerId, gpuId, health, line: n + 1 }));
    const chunks = await this.tenants.read(access, { filter, ...cost }, async (customers) => {
      // The rows of several customers are merged by line, so each is a chunk.
      const parameters = rowParameters(listing, customers.length > 1 ? 1 : ROWS_PER_CHUNK);
      const reads = customers.map(async ({ scope, query }) => {
        const own = gpus.filter(({ customerId }) => customerId === scope.customerId);
        if (own.length === 0) return [];
        return query<{ first_line: number; rows: string }>(
          ROWS[seriesFor(listing)].with({
            ...parameters,
            gpuIds: own.map(({ gpuId }) => gpuId),
            healths: own.map(({ health }) => health),
            lines: own.map(({ line }) => line),
          }),
        );
      });
      return (await Promise.all(reads)).flat();
    });
    return chunks
      .toSorted((a, b) => a.first_line - b.first_line)
      .map(({ rows }) => rows)
      .join(',');
  }
}

function seriesFor({ window, hasSeries }: GpuListing): Series {
  return hasSeries ? seriesOf(window) : 'none';
}

function rowParameters({ window }: GpuListing, rowsPerChunk: number): RowParameters {
  return { ...windowParameters(window), rowsPerChunk };
}

/** Merges the lists of several customers. @param limit maximum number of GPUs; null for all */
function mergeRanked(gpus: readonly RankedGpu[], limit: number | null): RankedGpu[] {
  return gpus
    .toSorted(
      ([aCustomer, aId, , aRank, aHost], [bCustomer, bId, , bRank, bHost]) =>
        aRank - bRank ||
        compareCodePoints(aHost, bHost) ||
        compareCodePoints(aId, bId) ||
        aCustomer - bCustomer,
    )
    .slice(0, limit ?? undefined);
}

/** @param rows one row per customer */
function toState(rows: readonly StateRow[]): FleetState {
  const changes = rows.flatMap((row) => row.health_changed?.getTime() ?? []);
  return {
    data: dataVersionOf(rows, ALL_DATA),
    healthChangedMs: changes.length === 0 ? null : Math.max(...changes),
  };
}
