import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { PositiveInteger } from './parameters.ts';

/** Whose data a list is about (contract 4.1): each narrows what the caller may see, and is left out for all of it. */
export class ScopeQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  @IsOptional()
  @PositiveInteger()
  customer_id?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  @IsOptional()
  @PositiveInteger()
  workspace_id?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  @IsOptional()
  @PositiveInteger()
  api_key_id?: string;
}
