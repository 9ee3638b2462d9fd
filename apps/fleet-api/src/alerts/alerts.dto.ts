import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { PositiveInteger, Text } from '../query-parameters/parameters.ts';

export const DEFAULT_PAGE_SIZE = 1_000;
export const MAX_PAGE_SIZE = 10_000;

/** The query of `GET /alerts/` (contract 4.2). */
export class AlertsQuery {
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
