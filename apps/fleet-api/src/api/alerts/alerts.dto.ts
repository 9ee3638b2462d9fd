import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OneOf, PositiveInteger, Text } from '../query-parameters/parameters.ts';
import { DEFAULT_SORT, SORTS } from './order/alert-sorts.ts';
import { AlertSelectionQuery } from './filters/alert-selection.dto.ts';

export const DEFAULT_PAGE_SIZE = 1_000;
export const MAX_PAGE_SIZE = 10_000;

/** The query of `GET /alerts/` (contract 4.2). */
export class AlertsQuery extends AlertSelectionQuery {
  @ApiPropertyOptional({
    enum: SORTS,
    default: DEFAULT_SORT,
    description:
      'With - it descends; severity begins with critical. Ties are the newest first, then by id; no hostname comes last.',
  })
  @IsOptional()
  @OneOf(...SORTS)
  sort?: string;

  @ApiPropertyOptional({
    description: 'Rows of a page.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
  })
  @IsOptional()
  @PositiveInteger(MAX_PAGE_SIZE)
  page_size?: string;

  @ApiPropertyOptional({
    description: 'The next_page_token of the page before; everything but page_size must be as it was there.',
    type: String,
  })
  @IsOptional()
  @Text()
  page_token?: string;
}
