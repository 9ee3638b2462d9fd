import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { OneOf, PositiveInteger, Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope.dto.ts';

export const MAX_GPU_ROWS = 100_000;

/** The query of `GET /gpus` (contract 4.3). */
export class GpusQuery extends ScopeQuery {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Begin of the telemetry window; default 24 hours ago.',
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
    description: 'basic leaves utilization_series out.',
  })
  @IsOptional()
  @OneOf('full', 'basic')
  view?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_GPU_ROWS,
    description: 'At most so many rows; default all.',
  })
  @IsOptional()
  @PositiveInteger(MAX_GPU_ROWS)
  page_size?: string;
}
