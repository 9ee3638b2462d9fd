import { Injectable } from '@nestjs/common';
import type { Access, GpuHealth } from '@gpu-observatory/domain-types';
import { type Series, seriesOf, telemetryParameters } from '../../model/gpu-days/read-telemetry.sql.ts';
import { accessScopes, type ScopeFilter, workspaceRangeOf } from '../access/access-scope.ts';
import type { ReadCost } from '../access/read-limiter.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import {
  ALL_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
} from '../data-version/data-version.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import {
  FIRST_ROWS,
  FLEET_STATE,
  RANKED_ALL,
  RANKED_FIRST,
  type RowParameters,
  ROWS,
} from './gpus.statements.ts';
import type { TelemetryWindow } from './telemetry-window.ts';

/** A GPU of the list, with its health when the order was read and the remaining sort key. */
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
  /** The last time that the clock changed the health of a GPU in scope, in ms since the epoch; null if never. */
  healthChangedMs: number | null;
}

interface StateRow {
  data_version: DataVersionRow | null;
  health_changed: Date | null;
}

/** Columns of a row that depend on the query. */
export interface TelemetryColumns {
  window: TelemetryWindow;
  /** Whether rows include `utilization_series`. */
  series: boolean;
}

/** Rows per value of the result. Values that fit into one read of the socket (64 KiB) cost less than longer ones. */
const ROWS_PER_CHUNK = 32;

/** Reads the list of GPUs. */
@Injectable()
export class GpusService {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Reads only the state that the validators of a list depend on. */
  async state(access: Access, filter: ScopeFilter): Promise<FleetState> {
    const rows = await this.tenants.query<StateRow>(
      access,
      (scope) => FLEET_STATE[workspaceRangeOf(scope)].with({}),
      { filter },
    );
    return toState(rows);
  }

  /**
   * Reads a list of at most `limit` rows, in the order of `ranked`: of one customer with one statement. Of several, the order is
   * read first, so that only the rows of the page are rendered.
   */
  async page(
    access: Access,
    filter: ScopeFilter,
    limit: number,
    columns: TelemetryColumns,
  ): Promise<FleetState & { rows: string[] }> {
    if (accessScopes(access, filter).length > 1) {
      const { ranked, ...state } = await this.ranked(access, filter, limit);
      return { ...state, rows: [await this.rows(access, filter, ranked, columns)] };
    }
    const parameters = { ...rowParameters(columns, ROWS_PER_CHUNK), limit };
    const rows = await this.tenants.query<StateRow & { rows: string | null }>(
      access,
      (scope) => FIRST_ROWS[workspaceRangeOf(scope)][seriesFor(columns)].with(parameters),
      { filter },
    );
    return { ...toState(rows.slice(0, 1)), rows: rows.flatMap((row) => row.rows ?? []) };
  }

  /**
   * Reads the ids of GPUs, sorted by urgency, hostname and gpu_id.
   *
   * @param limit maximum number of GPUs; null for all
   */
  async ranked(
    access: Access,
    filter: ScopeFilter,
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
    return { ...toState(lists), ranked: lists.length > 1 ? merged(ranked, limit) : ranked };
  }

  /** Reads the rows of these GPUs in their order, with the health that they were ranked by. */
  async rows(
    access: Access,
    filter: ScopeFilter,
    ranked: readonly RankedGpu[],
    { isExport = false, ...columns }: TelemetryColumns & ReadCost,
  ): Promise<string> {
    const gpus = ranked.map(([customerId, gpuId, health], n) => ({ customerId, gpuId, health, line: n + 1 }));
    const chunks = await this.tenants.read(access, { filter, isExport }, async (customers) => {
      const parameters = rowParameters(columns, customers.length > 1 ? 1 : ROWS_PER_CHUNK);
      const ofCustomers = customers.map(async ({ scope, query }) => {
        const own = gpus.filter(({ customerId }) => customerId === scope.customerId);
        if (own.length === 0) return [];
        return query<{ first_line: number; rows: string }>(
          ROWS[seriesFor(columns)].with({
            ...parameters,
            gpuIds: own.map(({ gpuId }) => gpuId),
            healths: own.map(({ health }) => health),
            lines: own.map(({ line }) => line),
          }),
        );
      });
      return (await Promise.all(ofCustomers)).flat();
    });
    return chunks
      .toSorted((a, b) => a.first_line - b.first_line)
      .map(({ rows }) => rows)
      .join(',');
  }
}

function seriesFor({ window, series }: TelemetryColumns): Series {
  return series ? seriesOf(window) : 'none';
}

function rowParameters({ window }: TelemetryColumns, rowsPerChunk: number): RowParameters {
  return {
    ...telemetryParameters(window),
    from: new Date(window.fromMs),
    to: new Date(window.toMs),
    rowsPerChunk,
  };
}

/** Merges the lists of customers in the order of each. */
function merged(gpus: readonly RankedGpu[], limit: number | null): RankedGpu[] {
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

/** @param rows one per customer */
function toState(rows: readonly StateRow[]): FleetState {
  const changes = rows.flatMap((row) => row.health_changed?.getTime() ?? []);
  return {
    data: dataVersionOf(rows, ALL_DATA),
    healthChangedMs: changes.length === 0 ? null : Math.max(...changes),
  };
}
