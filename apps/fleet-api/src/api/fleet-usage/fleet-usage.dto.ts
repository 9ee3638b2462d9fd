import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OneOf, PositiveInteger, Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope.dto.ts';

export const USAGE_GROUPINGS = ['workspace', 'model', 'host'] as const;
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];
export const DEFAULT_USAGE_GROUPING: UsageGrouping = 'workspace';
export const USAGE_SORTS = ['idle', 'busy', 'missing', 'energy', 'gpus', 'name'] as const;
export type UsageSort = (typeof USAGE_SORTS)[number];
export const DEFAULT_USAGE_SORT: UsageSort = 'idle';
export const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

/** The query parameters of `GET /fleet-usage`, see docs/fleet-api.md#fleet-usage. */
export class FleetUsageQuery extends ScopeQuery {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Start of the window, in the half hour that it belongs to; default 24 hours before its end.',
  })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'End of the window, exclusive; default now. The half hour that is not over yet is left out.',
  })
  @IsOptional()
  @Timestamp()
  to?: string;

  @ApiPropertyOptional({ enum: USAGE_GROUPINGS, default: DEFAULT_USAGE_GROUPING })
  @IsOptional()
  @OneOf(...USAGE_GROUPINGS)
  group_by?: UsageGrouping;

  @ApiPropertyOptional({
    enum: USAGE_SORTS,
    default: DEFAULT_USAGE_SORT,
    description: 'Largest first, except for name. Unknown energy comes last.',
  })
  @IsOptional()
  @OneOf(...USAGE_SORTS)
  sort?: UsageSort;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    description: 'Maximum number of groups.',
  })
  @IsOptional()
  @PositiveInteger(MAX_PAGE_SIZE)
  page_size?: string;
}
