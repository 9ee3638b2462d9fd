import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Timestamp } from '../query-parameters/parameters.ts';
import { ScopeQuery } from '../query-parameters/scope.dto.ts';

/** The query parameters of `GET /metrics`, see docs/fleet-api.md#fleet-metrics. */
export class MetricsQuery extends ScopeQuery {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Start of the window, inclusive; default 90 days before its end. Widened to whole UTC days.',
  })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'End of the window, exclusive; default now. Widened to whole UTC days.',
  })
  @IsOptional()
  @Timestamp()
  to?: string;
}
