import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope.dto.ts';

/** The query of `GET /metrics` (contract 4.4). */
export class MetricsQuery extends ScopeQuery {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Begin of the window, inclusive; default 90 days before its end. It widens to whole days.',
  })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'End of the window, exclusive; default now. It widens to whole days.',
  })
  @IsOptional()
  @Timestamp()
  to?: string;
}
