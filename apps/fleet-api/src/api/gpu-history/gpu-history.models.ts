import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { JobModel } from '../jobs/job.models.ts';

/** Means of each step; null without a reading. */
const means = (description: string) => ({
  type: 'array' as const,
  items: { oneOf: [{ type: 'number' }, { type: 'null' }] },
  description,
});

/** See docs/fleet-api.md#gpu-history. */
export class HistoryReadingsModel {
  @ApiProperty({ type: [String], description: 'The start of each step.' }) at!: string[];
  @ApiProperty(means('Percent.')) utilization_pct!: (number | null)[];
  @ApiProperty(means('GB of 1,024 MiB.')) memory_used_gb!: (number | null)[];
  @ApiProperty(means('Celsius.')) temperature_c!: (number | null)[];
  @ApiProperty(means('W.')) power_draw_w!: (number | null)[];
  @ApiPropertyOptional(means('Celsius.')) memory_temperature_c?: (number | null)[];
  @ApiPropertyOptional(means('Percent.')) fan_pct?: (number | null)[];
  @ApiPropertyOptional(means('MHz.')) sm_clock_mhz?: (number | null)[];
  @ApiPropertyOptional(means('MHz.')) memory_clock_mhz?: (number | null)[];
  @ApiPropertyOptional(means('Share of the cycles in which tensor cores are active.'))
  tensor_active_pct?: (number | null)[];
  @ApiPropertyOptional(means('Share of the cycles in which the memory interface is active.'))
  dram_active_pct?: (number | null)[];
  @ApiPropertyOptional(means('1,000,000 bytes per second, sent by the GPU.'))
  pcie_tx_mb_per_second?: (number | null)[];
  @ApiPropertyOptional(means('1,000,000 bytes per second, received by the GPU.'))
  pcie_rx_mb_per_second?: (number | null)[];
}

/** See docs/fleet-api.md#gpu-history. */
export class GpuHistoryModel {
  @ApiProperty() gpu_id!: string;
  @ApiProperty({ format: 'date-time', description: 'Start of the first step.' }) from!: string;
  @ApiProperty({ format: 'date-time', description: 'End of the last step.' }) to!: string;
  @ApiProperty({ type: 'integer' }) step_seconds!: number;
  @ApiProperty({
    type: HistoryReadingsModel,
    description:
      'Lists of equal length. Readings that the window does not have are absent, except the first four.',
  })
  readings!: HistoryReadingsModel;
  @ApiProperty({ type: [JobModel], description: 'Of the window, the newest first.' }) jobs!: JobModel[];
}
