import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OneOf, PositiveInteger } from '../../query-parameters/parameters.ts';
import { AlertSelectionQuery, ExcludedTexts, SearchText } from '../filters/alert-selection.dto.ts';

export const GROUPINGS = ['host', 'workspace', 'gpu', 'day', 'hour', 'type', 'severity', 'state'] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const DEFAULT_GROUPING: Grouping = 'host';
export const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;

/** The query parameters of `GET /alerts:groups`, see docs/fleet-api.md#alert-groups. */
@ExcludedTexts()
export class AlertGroupsQuery extends AlertSelectionQuery {
  @ApiPropertyOptional({
    enum: GROUPINGS,
    default: DEFAULT_GROUPING,
    description: 'Days and hours are in UTC.',
  })
  @IsOptional()
  @OneOf(...GROUPINGS)
  group_by?: Grouping;

  @SearchText()
  q?: string;

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
