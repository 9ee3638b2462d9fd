import type { TimeWindow } from '../../model/time-window.ts';
import type { ScopeFilter } from '../access/access-scope.ts';
import { telemetryWindow } from '../gpus/telemetry-window.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import type { StatusSelection } from './status-columns.sql.ts';
import { DEFAULT_STATUS_SORT, type StatusQuery } from './status-query.dto.ts';

/** The filters and the window of a list. All pages of an export have the same window. */
export interface StatusFilter extends StatusSelection {
  scope: ScopeFilter;
  window: TimeWindow;
}

/** @throws {DomainError} `invalid_query` when `from` is later than `to` */
export function parseStatusFilter(query: StatusQuery & { hostname?: string }): StatusFilter {
  const { sort = DEFAULT_STATUS_SORT } = query;
  return {
    scope: parseScopeFilter(query),
    window: telemetryWindow(query),
    healths: query.health?.split(',') ?? null,
    models: query.model?.split(',') ?? null,
    hostname: query.hostname ?? null,
    idle: query.idle === undefined ? null : query.idle === 'true',
    needsMeans: query.idle !== undefined || sort === 'idle',
    sort,
  };
}
