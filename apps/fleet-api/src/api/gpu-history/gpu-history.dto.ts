import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { Timestamp } from '../query-parameters/parameters.ts';

/** The query parameters of `GET /gpu-history/{id}`, see docs/fleet-api.md#gpu-history. */
export class GpuHistoryQuery {
  @ApiPropertyOptional({ format: 'date-time', description: 'Start of the window; default 24 hours ago.' })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'End of the window, exclusive; default now.' })
  @IsOptional()
  @Timestamp()
  to?: string;
}
