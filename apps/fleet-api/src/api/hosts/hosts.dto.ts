import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { StatusQuery } from '../gpu-status/status-query.dto.ts';
import { PositiveInteger, Timestamp } from '../query-parameters/parameters.ts';

/** The query parameters of `GET /hosts`, see docs/fleet-api.md#list-hosts. */
export class HostsQuery extends StatusQuery {}

/** The query parameters of `GET /hosts/{hostname}`, see docs/fleet-api.md#get-a-host. */
export class HostQuery {
  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Start of the window of means, counts and jobs; default 24 hours ago.',
  })
  @IsOptional()
  @Timestamp()
  from?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'End of the window of means, counts and jobs, exclusive; default now.',
  })
  @IsOptional()
  @Timestamp()
  to?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'The customer of the host, for callers with several.',
  })
  @IsOptional()
  @PositiveInteger()
  customer_id?: string;
}
