import { ApiPropertyOptional } from '@nestjs/swagger';
import { GPU_HEALTHS } from '@gpu-observatory/domain-types';
import { IsOptional } from 'class-validator';
import { ListOf, OneOf, PositiveInteger, Text, TextList, Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope.dto.ts';

export const STATUS_SORTS = ['worst', 'hottest', 'idle', 'name'] as const;
export type StatusSort = (typeof STATUS_SORTS)[number];
export const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 1_000;
const MAX_MODELS = 50;

/** The query parameters that `GET /gpu-status` and `GET /hosts` share. */
export class StatusQuery extends ScopeQuery {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Start of the window of means and counts; default 24 hours ago.',
  })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'End of the window of means and counts, exclusive; default now.',
  })
  @IsOptional()
  @Timestamp()
  to?: string;

  @ApiPropertyOptional({
    type: String,
    description: `Comma-separated list of ${GPU_HEALTHS.join(', ')}.`,
    example: 'critical,missing',
  })
  @IsOptional()
  @ListOf(...GPU_HEALTHS)
  health?: string;

  @ApiPropertyOptional({ type: String, description: `Up to ${MAX_MODELS} GPU models, separated by commas.` })
  @IsOptional()
  @TextList(MAX_MODELS)
  model?: string;

  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'true: mean utilization of the window below 5 %; false: 5 % or above.',
  })
  @IsOptional()
  @OneOf('true', 'false')
  idle?: string;

  @ApiPropertyOptional({
    enum: STATUS_SORTS,
    default: 'worst',
    description:
      'worst health, highest newest temperature, or lowest mean utilization first; or by hostname and gpu_id.',
  })
  @IsOptional()
  @OneOf(...STATUS_SORTS)
  sort?: StatusSort;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    description: 'Maximum number of rows.',
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
