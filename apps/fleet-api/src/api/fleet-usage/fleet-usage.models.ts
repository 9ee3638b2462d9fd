import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { nullableNumber } from '../openapi/nullable.ts';

/** See docs/fleet-api.md#fleet-usage. */
export class UsageModel {
  @ApiProperty({ type: 'integer', description: 'Number of GPUs that have sent telemetry.' })
  gpu_count!: number;
  @ApiProperty({ description: 'Utilization times length of the half hours with readings of it.' })
  busy_gpu_hours!: number;
  @ApiProperty({ description: 'The rest of the half hours with readings of utilization.' })
  idle_gpu_hours!: number;
  @ApiProperty({ description: 'Half hours without samples since the GPU was first seen.' })
  missing_gpu_hours!: number;
  @ApiProperty({ description: 'Half hours with samples, but without a reading of utilization.' })
  unmeasured_gpu_hours!: number;
  @ApiProperty({ ...nullableNumber, description: 'From readings of the power draw; null without any.' })
  energy_kwh!: number | null;
}

export class UsageGroupModel extends UsageModel {
  @ApiPropertyOptional({ type: 'integer', description: 'With group_by=workspace or host.' })
  customer_id?: number;
  @ApiPropertyOptional({ type: 'integer', description: 'With group_by=workspace.' }) workspace_id?: number;
  @ApiPropertyOptional({ description: 'With group_by=model; empty if unknown.' }) model?: string;
  @ApiPropertyOptional({ description: 'With group_by=host; empty if unknown.' }) hostname?: string;
}

export class FleetUsageModel {
  @ApiProperty({ format: 'date-time', description: 'Start of the first half hour.' }) from!: string;
  @ApiProperty({ format: 'date-time', description: 'End of the last half hour.' }) to!: string;
  @ApiProperty({ type: [UsageGroupModel] }) groups!: UsageGroupModel[];
  @ApiProperty({ type: UsageModel, description: 'Of all groups, also those beyond page_size.' })
  total!: UsageModel;
  @ApiProperty({ type: 'integer', description: 'Number of groups, also those beyond page_size.' })
  group_count!: number;
}
