import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { GPU_HEALTHS } from '@gpu-observatory/domain-types';
import { csvColumnsOf } from '../exports/csv-columns.ts';
import { GpuStatusModel, ReasonModel } from '../gpu-status/gpu-status.models.ts';
import { JobModel } from '../jobs/job.models.ts';
import { nullable, nullableInteger, nullableNumber, nullableTime } from '../openapi/nullable.ts';

const integer = { type: 'integer' as const };
const time = { format: 'date-time' };

class HostReasonModel extends ReasonModel {
  @ApiProperty({ description: 'GPU that the reason applies to.' }) gpu_id!: string;
}

export class GpusByHealthModel {
  @ApiProperty(integer) critical!: number;
  @ApiProperty(integer) missing!: number;
  @ApiProperty(integer) degraded!: number;
  @ApiProperty(integer) healthy!: number;
}

class HostLatestModel {
  @ApiProperty({ ...nullableNumber, description: 'Mean over the GPUs of the host.' }) utilization_pct!:
    number | null;
  @ApiProperty({ ...nullableNumber, description: 'Temperature of the hottest GPU.' }) max_temperature_c!:
    number | null;
  @ApiProperty({ ...nullableNumber, description: 'Sum over the GPUs of the host.' }) power_draw_w!:
    number | null;
}

class HostMeanModel {
  @ApiProperty({ ...nullableNumber, description: "Mean of the GPUs' means." })
  utilization_pct!: number | null;
}

class AlertsBySeverityModel {
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
  @ApiProperty({ type: 'array', items: integer, description: 'Workspaces of its GPUs, in ascending order.' })
  workspace_ids!: number[];
  @ApiProperty({ enum: GPU_HEALTHS, description: 'Worst health of its GPUs.' }) health!: string;
  @ApiProperty({
    ...nullableTime,
    description: 'Time since which the GPU with the worst health has had it; null when healthy.',
  })
  since!: string | null;
  @ApiProperty({
    ...nullable(HostReasonModel),
    description: 'First reason of the GPU with the worst health; null when healthy.',
  })
  reason!: HostReasonModel | null;
  @ApiProperty(integer) gpu_count!: number;
  @ApiProperty({ type: GpusByHealthModel }) gpus_by_health!: GpusByHealthModel;
  @ApiProperty({ type: [String] }) models!: string[];
  @ApiProperty({ type: HostLatestModel, description: 'Newest readings of the GPUs that are not missing.' })
  latest!: HostLatestModel;
  @ApiProperty({ type: HostMeanModel, description: 'Means over the window.' }) mean!: HostMeanModel;
  @ApiProperty({ ...integer, description: 'GPUs whose mean utilization in the window is below 5 %.' })
  idle_gpu_count!: number;
  @ApiProperty({
    type: AlertsBySeverityModel,
    description: 'Alerts of the host and its GPUs in the window, by severity.',
  })
  alerts!: AlertsBySeverityModel;
  @ApiProperty({ ...time, description: 'Time of the newest report of its GPUs.' }) last_seen!: string;
}

export const HOST_CSV_COLUMNS = csvColumnsOf(HostModel);

export class HostListModel {
  @ApiProperty({ type: [HostModel] }) hosts!: HostModel[];
  @ApiPropertyOptional({ description: 'Absent on the last page.' }) next_page_token?: string;
}

class HostGpuModel extends GpuStatusModel {
  @ApiProperty({ type: [ReasonModel], description: 'All rules that apply, most important first.' })
  reasons!: ReasonModel[];
}

class HostCpuModel {
  @ApiProperty(nullableNumber) load_1m!: number | null;
  @ApiProperty(nullableNumber) utilization_pct!: number | null;
  @ApiProperty({ ...time, description: 'Time of the readings.' }) at!: string;
}

class HostUptimeModel {
  @ApiProperty({ ...integer, description: 'Time since the boot, in seconds.' }) seconds!: number;
  @ApiProperty({ ...time, description: 'Time of the report that the uptime is measured at.' }) at!: string;
}

/** See docs/fleet-api.md#get-a-host. */
@ApiExtraModels(HostCpuModel, HostUptimeModel)
export class HostDetailModel extends HostModel {
  @ApiProperty({ type: [HostGpuModel], description: 'In the order of their PCIe addresses.' })
  gpus!: HostGpuModel[];
  @ApiProperty({
    type: [JobModel],
    description: 'Current jobs and jobs of the window: running first, then by last report, newest first.',
  })
  jobs!: JobModel[];
  @ApiProperty({ ...nullable(HostCpuModel), description: 'Newest readings of the last seven days.' })
  cpu!: HostCpuModel | null;
  @ApiProperty(nullable(HostUptimeModel)) uptime!: HostUptimeModel | null;
  @ApiProperty(nullableInteger) cpu_count!: number | null;
  @ApiProperty({ ...nullableNumber, description: 'In GB of 1,024 MiB.' }) memory_total_gb!: number | null;
  @ApiProperty({ description: 'Empty when unknown.' }) operating_system!: string;
  @ApiProperty({ description: 'Empty when unknown.' }) kernel!: string;
}

export class HostResponse {
  @ApiProperty({ type: HostDetailModel }) host!: HostDetailModel;
}
