import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OneOf, PositiveInteger, Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope.dto.ts';

const MAX_GPU_ROWS = 100_000;

/** The query parameters of `GET /gpus`, see docs/fleet-api.md#list-gpus. */
export class GpusQuery extends ScopeQuery {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Start of the telemetry window; default 24 hours ago.',
  })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'End of the telemetry window, exclusive; default now.',
  })
  @IsOptional()
  @Timestamp()
  to?: string;

  @ApiPropertyOptional({
    enum: ['full', 'basic'],
    default: 'full',
    description: 'basic omits utilization_series.',
  })
  @IsOptional()
  @OneOf('full', 'basic')
  view?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_GPU_ROWS,
    description: 'Maximum number of rows; default all.',
  })
  @IsOptional()
  @PositiveInteger(MAX_GPU_ROWS)
  page_size?: string;
}
