import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { GPU_HEALTHS } from '@gpu-observatory/domain-types';
import { csvColumnsOf } from '../exports/csv-columns.ts';
import { GpuStatusModel, ReasonModel } from '../gpu-status/gpu-status.models.ts';
import { JobModel } from '../jobs/job.models.ts';
import { nullable, nullableInteger, nullableNumber, nullableTime } from '../openapi/nullable.ts';

const integer = { type: 'integer' as const };
const time = { format: 'date-time' };

export class HostReasonModel extends ReasonModel {
  @ApiProperty({ description: 'The GPU that the reason is of.' }) gpu_id!: string;
}

export class GpusByHealthModel {
  @ApiProperty(integer) critical!: number;
  @ApiProperty(integer) missing!: number;
  @ApiProperty(integer) degraded!: number;
  @ApiProperty(integer) healthy!: number;
}

export class HostLatestModel {
  @ApiProperty({ ...nullableNumber, description: 'Mean of its GPUs.' }) utilization_pct!: number | null;
  @ApiProperty({ ...nullableNumber, description: 'Of its hottest GPU.' }) max_temperature_c!: number | null;
  @ApiProperty({ ...nullableNumber, description: 'Sum of its GPUs.' }) power_draw_w!: number | null;
}

export class HostMeanModel {
  @ApiProperty({ ...nullableNumber, description: 'Mean of the means of its GPUs.' })
  utilization_pct!: number | null;
}

export class AlertsBySeverityModel {
  @ApiProperty(integer) critical!: number;
  @ApiProperty(integer) high!: number;
  @ApiProperty(integer) medium!: number;
  @ApiProperty(integer) low!: number;
  @ApiProperty(integer) info!: number;
}

/** See docs/fleet-api.md#list-hosts. */
@ApiExtraModels(HostReasonModel)
export class HostModel {
  @ApiProperty() hostname!: string;
  @ApiProperty(integer) customer_id!: number;
  @ApiProperty({ type: 'array', items: integer, description: 'Of its GPUs, in ascending order.' })
  workspace_ids!: number[];
  @ApiProperty({ enum: GPU_HEALTHS, description: 'The worst of its GPUs.' }) health!: string;
  @ApiProperty({ ...nullableTime, description: 'When that GPU got its health; null when healthy.' })
  since!: string | null;
  @ApiProperty({
    ...nullable(HostReasonModel),
    description: 'The first reason of the worst GPU; null when healthy.',
  })
  reason!: HostReasonModel | null;
  @ApiProperty(integer) gpu_count!: number;
  @ApiProperty({ type: GpusByHealthModel }) gpus_by_health!: GpusByHealthModel;
  @ApiProperty({ type: [String] }) models!: string[];
  @ApiProperty({ type: HostLatestModel, description: 'Newest readings of the GPUs that are not missing.' })
  latest!: HostLatestModel;
  @ApiProperty({ type: HostMeanModel, description: 'Means over the window.' }) mean!: HostMeanModel;
  @ApiProperty({ ...integer, description: 'GPUs whose mean utilization of the window is below 5 %.' })
  idle_gpu_count!: number;
  @ApiProperty({ type: AlertsBySeverityModel, description: 'Of the host and its GPUs, in the window.' })
  alerts!: AlertsBySeverityModel;
  @ApiProperty({ ...time, description: 'Newest report of its GPUs.' }) last_seen!: string;
}

export const HOST_CSV_COLUMNS = csvColumnsOf(HostModel);

export class HostListModel {
  @ApiProperty({ type: [HostModel] }) hosts!: HostModel[];
  @ApiPropertyOptional({ description: 'Absent on the last page.' }) next_page_token?: string;
}

export class HostGpuModel extends GpuStatusModel {
  @ApiProperty({ type: [ReasonModel], description: 'All rules that apply, the first one first.' })
  reasons!: ReasonModel[];
}

export class HostCpuModel {
  @ApiProperty(nullableNumber) load_1m!: number | null;
  @ApiProperty(nullableNumber) utilization_pct!: number | null;
  @ApiProperty({ ...time, description: 'Time of the readings.' }) at!: string;
}

export class HostUptimeModel {
  @ApiProperty({ ...integer, description: 'Time since the boot.' }) seconds!: number;
  @ApiProperty({ ...time, description: 'Time of the report.' }) at!: string;
}

/** See docs/fleet-api.md#get-a-host. */
@ApiExtraModels(HostCpuModel, HostUptimeModel)
export class HostDetailModel extends HostModel {
  @ApiProperty({ type: [HostGpuModel], description: 'By PCIe address.' }) gpus!: HostGpuModel[];
  @ApiProperty({ type: [JobModel], description: 'Now and in the window, the running and newest first.' })
  jobs!: JobModel[];
  @ApiProperty({ ...nullable(HostCpuModel), description: 'Newest readings of the last seven days.' })
  cpu!: HostCpuModel | null;
  @ApiProperty(nullable(HostUptimeModel)) uptime!: HostUptimeModel | null;
  @ApiProperty(nullableInteger) cpu_count!: number | null;
  @ApiProperty({ ...nullableNumber, description: 'GB of 1,024 MiB.' }) memory_total_gb!: number | null;
  @ApiProperty({ description: 'Empty when unknown.' }) operating_system!: string;
  @ApiProperty({ description: 'Empty when unknown.' }) kernel!: string;
}

export class HostResponse {
  @ApiProperty({ type: HostDetailModel }) host!: HostDetailModel;
}
