import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { GPU_HEALTHS } from '@gpu-observatory/domain-types';
import { csvColumnsOf } from '../exports/csv-columns.ts';
import { nullableInteger, nullableNumber } from '../openapi/nullable.ts';

/** See docs/fleet-api.md#list-gpus. */
export class GpuModel {
  @ApiProperty({ description: 'GPU-… or host|pci|guest.' }) gpu_id!: string;
  @ApiProperty({ type: 'integer' }) workspace_id!: number;
  @ApiProperty() vendor!: string;
  @ApiProperty() model!: string;
  @ApiProperty() compute_stack!: string;
  @ApiProperty() driver_version!: string;
  @ApiProperty({ enum: GPU_HEALTHS }) health!: string;
  @ApiProperty() hostname!: string;
  @ApiProperty() pcie_address!: string;
  @ApiProperty() serial_no!: string;
  @ApiProperty({ ...nullableNumber, description: 'Mean over the window in percent, two decimals.' })
  utilization_pct!: number | null;
  @ApiProperty({ ...nullableNumber, description: 'Mean over the window in Celsius, two decimals.' })
  temperature_c!: number | null;
  @ApiProperty({
    ...nullableInteger,
    description: 'XID incidents in the window; null when no source of XIDs has reported.',
  })
  xid_errors!: number | null;
  @ApiPropertyOptional({
    type: [Number],
    maxItems: 48,
    description:
      'Means of evenly spaced buckets; buckets without telemetry are omitted. Absent with view=basic.',
  })
  utilization_series?: number[];
  @ApiProperty({ format: 'date-time' }) last_seen!: string;
}

const GPU_CSV_COLUMNS = csvColumnsOf(GpuModel);

/** @param hasSeries whether rows have `utilization_series` */
export function gpuCsvColumns({ hasSeries }: { hasSeries: boolean }): string[] {
  return GPU_CSV_COLUMNS.filter((column) => hasSeries || column !== 'utilization_series');
}

export class GpuListModel {
  @ApiProperty({ type: [GpuModel] }) gpus!: GpuModel[];
}
