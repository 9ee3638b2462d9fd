import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { PositiveInteger } from './parameters.ts';

/** Filters that narrow the caller's access, see docs/fleet-api.md#scope-filters. */
export class ScopeQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Only rows of this customer.' })
  @IsOptional()
  @PositiveInteger()
  customer_id?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Only rows of this workspace.' })
  @IsOptional()
  @PositiveInteger()
  workspace_id?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Only rows that this API key sent.' })
  @IsOptional()
  @PositiveInteger()
  api_key_id?: string;
}
