import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  NonEmptyText,
  OneOf,
  PositiveInteger,
  PositiveIntegers,
  Text,
  Timestamp,
  Uuid,
} from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope.dto.ts';

export const GROUPINGS = ['code', 'host', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;
const MAX_CODES = 50;

/** The query parameters of `GET /xid-incidents`, see docs/fleet-api.md#list-xid-incidents. */
export class XidIncidentsQuery extends ScopeQuery {
  @ApiPropertyOptional({ format: 'date-time', description: 'Start of the window; default 7 days ago.' })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'End of the window, exclusive; default now.' })
  @IsOptional()
  @Timestamp()
  to?: string;

  @ApiPropertyOptional({
    type: String,
    description: `Up to ${MAX_CODES} XIDs, separated by commas.`,
    example: '48,79',
  })
  @IsOptional()
  @PositiveIntegers(MAX_CODES)
  code?: string;

  @ApiPropertyOptional({ description: 'Only incidents of the GPUs on this host.' })
  @IsOptional()
  @NonEmptyText()
  hostname?: string;

  @ApiPropertyOptional({ description: 'Only incidents of this GPU.' })
  @IsOptional()
  @NonEmptyText()
  gpu_id?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Only the incident of this alert; without from at any time.',
  })
  @IsOptional()
  @Uuid()
  alert_id?: string;

  @ApiPropertyOptional({
    enum: GROUPINGS,
    description: 'Counts of incidents by code, host or UTC day, in place of the incidents.',
  })
  @IsOptional()
  @OneOf(...GROUPINGS)
  group_by?: Grouping;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    description: 'Maximum number of incidents or groups.',
  })
  @IsOptional()
  @PositiveInteger(MAX_PAGE_SIZE)
  page_size?: string;

  @ApiPropertyOptional({
    type: String,
    description:
      'The next_page_token of the previous page. Only page_size may differ from the request of that page.',
  })
  @IsOptional()
  @Text()
  page_token?: string;
}
