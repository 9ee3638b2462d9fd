import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OneOf, PositiveInteger, Text } from '../query-parameters/parameters.ts';
import { DEFAULT_SORT, SORTS } from './order/alert-sorts.ts';
import { AlertSelectionQuery, ExcludedTexts, SearchText } from './filters/alert-selection.dto.ts';

export const DEFAULT_PAGE_SIZE = 1_000;
const MAX_PAGE_SIZE = 10_000;

/** The query parameters of `GET /alerts/`, see docs/fleet-api.md#list-alerts. */
export class AlertsQuery extends AlertSelectionQuery {
  @ApiPropertyOptional({
    enum: SORTS,
    default: DEFAULT_SORT,
    description:
      'A leading - sorts descending; ascending severity starts with critical. Equal values are sorted newest first, then by id; alerts without a hostname come last.',
  })
  @IsOptional()
  @OneOf(...SORTS)
  sort?: string;

  @ApiPropertyOptional({
    description: 'Maximum number of alerts per page.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
  })
  @IsOptional()
  @PositiveInteger(MAX_PAGE_SIZE)
  page_size?: string;

  @ApiPropertyOptional({
    description:
      'The next_page_token of the previous page. Only page_size may differ from the request of that page.',
    type: String,
  })
  @IsOptional()
  @Text()
  page_token?: string;
}

/** The query parameters of `GET /alerts:search`, see docs/fleet-api.md#search-alerts. */
@ExcludedTexts()
export class AlertSearchQuery extends AlertsQuery {
  @SearchText()
  q?: string;
}
