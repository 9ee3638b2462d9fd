import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { GPU_HEALTHS } from '@gpu-observatory/domain-types';
import { csvColumnsOf } from '../exports/csv-columns.ts';
import { nullable, nullableInteger, nullableNumber, nullableTime } from '../openapi/nullable.ts';

const time = { format: 'date-time' };

/** See docs/fleet-api.md#reason. */
export class ReasonModel {
  @ApiProperty() rule!: string;
  @ApiProperty({ enum: GPU_HEALTHS }) health!: string;
  @ApiProperty({ description: 'The reading or XID that the rule applies to.' }) evidence!: string;
  @ApiProperty({ ...time, description: 'Time of the reading or XID of the evidence.' }) evidence_at!: string;
  @ApiProperty({ ...time, description: 'Time from which the rule applies.' }) since!: string;
  @ApiProperty({
    ...nullableTime,
    description: 'End without another trigger; null if only a change ends it.',
  })
  until!: string | null;
  @ApiProperty({ description: 'What to do.' }) action!: string;
}

export class LatestReadingsModel {
  @ApiProperty(nullableNumber) utilization_pct!: number | null;
  @ApiProperty(nullableNumber) memory_used_gb!: number | null;
  @ApiProperty(nullableNumber) memory_total_gb!: number | null;
  @ApiProperty(nullableNumber) temperature_c!: number | null;
  @ApiProperty(nullableNumber) power_draw_w!: number | null;
  @ApiProperty(nullableNumber) power_limit_w!: number | null;
}

class MeanReadingsModel {
  @ApiProperty(nullableNumber) utilization_pct!: number | null;
  @ApiProperty(nullableNumber) temperature_c!: number | null;
}

/** See docs/fleet-api.md#list-gpu-status. */
@ApiExtraModels(ReasonModel)
export class GpuStatusModel {
  @ApiProperty({ description: 'GPU-… or host|pci|guest.' }) gpu_id!: string;
  @ApiProperty() hostname!: string;
  @ApiProperty({ type: 'integer' }) workspace_id!: number;
  @ApiProperty() vendor!: string;
  @ApiProperty() model!: string;
  @ApiProperty() pcie_address!: string;
  @ApiProperty() serial_no!: string;
  @ApiProperty({ enum: GPU_HEALTHS }) health!: string;
  @ApiProperty({
    ...nullableTime,
    description: 'When the GPU got this health: of a missing one, its last report. Null when healthy.',
  })
  since!: string | null;
  @ApiProperty({ ...nullable(ReasonModel), description: 'The first reason; null when healthy.' })
  reason!: ReasonModel | null;
  @ApiProperty({ type: LatestReadingsModel, description: 'Newest readings, in GB of 1,024 MiB.' })
  latest!: LatestReadingsModel;
  @ApiProperty({ type: MeanReadingsModel, description: 'Means over the window.' }) mean!: MeanReadingsModel;
  @ApiProperty({
    oneOf: [{ type: 'boolean' }, { type: 'null' }],
    description: 'Whether the mean utilization of the window is below 5 %; null without readings.',
  })
  idle!: boolean | null;
  @ApiProperty({
    ...nullableInteger,
    description: 'XID incidents in the window; null when no source of XIDs has reported.',
  })
  xid_errors!: number | null;
  @ApiProperty(time) last_seen!: string;
}

export const GPU_STATUS_CSV_COLUMNS = csvColumnsOf(GpuStatusModel);

export class GpuStatusListModel {
  @ApiProperty({ type: [GpuStatusModel] }) gpus!: GpuStatusModel[];
  @ApiPropertyOptional({ description: 'Absent on the last page.' }) next_page_token?: string;
}
