import { type GpuHealth } from '@gpu-observatory/domain-types';
import type { ScopeFilter } from '../access/access-scope.ts';
import { telemetryWindow, type TelemetryWindow } from '../gpus/telemetry-window.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { DEFAULT_STATUS_SORT, type StatusQuery, type StatusSort } from './status-query.dto.ts';

/** Filters and sort of a list. A filter is null for all rows. */
export interface StatusFilter {
  scope: ScopeFilter;
  window: TelemetryWindow;
  healths: GpuHealth[] | null;
  models: string[] | null;
  idle: boolean | null;
  sort: StatusSort;
}

/** @throws {DomainError} `invalid_query` when `from` is later than `to` */
export function parseStatusFilter(query: StatusQuery): StatusFilter {
  return {
    scope: parseScopeFilter(query),
    window: telemetryWindow(query.from, query.to),
    healths: (query.health?.split(',') as GpuHealth[] | undefined) ?? null,
    models: query.model?.split(',') ?? null,
    idle: query.idle === undefined ? null : query.idle === 'true',
    sort: query.sort ?? DEFAULT_STATUS_SORT,
  };
}
