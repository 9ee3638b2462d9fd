import { OneOf, PageSize, Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope-filter.ts';

const USAGE_GROUPINGS = ['workspace', 'model', 'host'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];
export const DEFAULT_USAGE_GROUPING: UsageGrouping = 'workspace';
const USAGE_SORTS = ['idle', 'busy', 'missing', 'energy', 'gpus', 'name'] as const;
export type UsageSort = (typeof USAGE_SORTS)[number];
export const DEFAULT_USAGE_SORT: UsageSort = 'idle';

/** The query parameters of `GET /fleet-usage`, see docs/fleet-api.md#fleet-usage. */
export class FleetUsageQuery extends ScopeQuery {
  @Timestamp({
    description: 'Start of the window, rounded down to a half hour; default 24 hours before its end.',
  })
  from?: string;

  @Timestamp({
    description: 'End of the window, exclusive; default now. The current half hour is omitted.',
  })
  to?: string;

  @OneOf(USAGE_GROUPINGS, { default: DEFAULT_USAGE_GROUPING })
  group_by?: UsageGrouping;

  @OneOf(USAGE_SORTS, {
    default: DEFAULT_USAGE_SORT,
    description: 'Largest first, except for name. Unknown energy comes last.',
  })
  sort?: UsageSort;

  @PageSize('groups')
  page_size?: string;
}
