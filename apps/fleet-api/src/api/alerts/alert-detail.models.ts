import { ApiExtraModels, ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { nullable, nullableObject } from '../openapi/nullable.ts';
import { AlertModel } from './alerts.models.ts';

class ChartPointModel {
  @ApiProperty({ type: 'integer' }) time!: number;
  @ApiProperty() value!: number;
}

class ProcessDetailsModel {
  @ApiProperty() title!: string;
  @ApiProperty() process_name!: string;
  @ApiProperty({ type: 'integer' }) pid!: number;
  @ApiProperty({ format: 'date-time' }) start_time!: string;
  @ApiProperty() current_status!: string;
  @ApiProperty({ description: 'Empty when unknown.' }) last_modified!: string;
  @ApiProperty({ type: 'integer' }) parent_process_pid!: number;
  @ApiProperty() command_line!: string;
}

class GpuDetailsModel {
  @ApiProperty() gpu_id!: string;
  @ApiProperty() model!: string;
  @ApiProperty() vendor!: string;
  @ApiProperty() gpu_utilization!: string;
  @ApiProperty() temperature!: string;
  @ApiProperty() driver_version!: string;
  @ApiProperty() firmware_version!: string;
  @ApiProperty() serial_number!: string;
  @ApiProperty() power_draw!: string;
  @ApiProperty() fan_speed!: string;
  @ApiProperty() clock_throttle_events!: string;
  @ApiProperty() host_id!: string;
  @ApiProperty() node!: string;
  @ApiProperty({ type: [ChartPointModel] }) utilization_data!: ChartPointModel[];
  @ApiProperty({ type: [ChartPointModel] }) temperature_chart!: ChartPointModel[];
}

class NodeDetailsModel {
  @ApiProperty() node_id!: string;
  @ApiProperty() uptime!: string;
  @ApiProperty() cpu_load!: string;
  @ApiProperty() number_of_cpus_attached!: string;
  @ApiProperty({ description: 'A percentage.' }) cpu_utilization_average!: string;
}

@ApiExtraModels(ProcessDetailsModel, GpuDetailsModel)
class ResourceDetailsModel {
  @ApiProperty(nullable(ProcessDetailsModel)) process_details!: ProcessDetailsModel | null;
  @ApiProperty(nullableObject) memory_details!: object | null;
  @ApiProperty(nullableObject) workload_details!: object | null;
  @ApiProperty(nullable(GpuDetailsModel)) gpu_details!: GpuDetailsModel | null;
  @ApiProperty({ type: NodeDetailsModel }) node_details!: NodeDetailsModel;
  @ApiProperty(nullableObject) container_details!: object | null;
}

class AlertInfoModel {
  @ApiProperty() title!: string;
  @ApiProperty() description!: string;
}

class AlertSequenceModel {
  @ApiProperty({ type: 'array', items: {} }) steps!: unknown[];
}

class SummaryDataModel {
  @ApiProperty({ type: AlertInfoModel }) alert_info!: AlertInfoModel;
  @ApiProperty({ type: AlertSequenceModel }) alert_sequence!: AlertSequenceModel;
}

class CorrelatedAlertsModel {
  @ApiProperty({ type: 'array', items: {} }) correlated_alerts!: unknown[];
}

/** See docs/fleet-api.md#alert-detail. */
class AlertDetailModel extends OmitType(AlertModel, ['gpu_model', 'gpu_serial']) {
  @ApiProperty() workspace_name!: string;
  @ApiProperty({ type: 'integer' }) customer_id!: number;
  @ApiProperty({ type: SummaryDataModel }) summary_data!: SummaryDataModel;
  @ApiProperty({ type: ResourceDetailsModel }) resource_details!: ResourceDetailsModel;
  @ApiProperty({ type: CorrelatedAlertsModel }) correlated_alerts!: CorrelatedAlertsModel;
  @ApiPropertyOptional({ description: 'Present only for alerts of an agent session.' }) session_id?: string;
  @ApiPropertyOptional({ description: 'Present only for alerts of an agent session.' }) host_id?: string;
}

export class AlertDetailResponse {
  @ApiProperty({ type: AlertDetailModel }) alert!: AlertDetailModel;
}

class TimelineEventModel {
  @ApiProperty({ format: 'date-time' }) ts!: string;
  @ApiProperty({ type: 'integer' }) pid!: number;
  @ApiProperty({ type: 'integer' }) tid!: number;
  @ApiProperty() event_type!: string;
  @ApiProperty() event_info!: string;
  @ApiPropertyOptional() comm?: string;
  @ApiPropertyOptional() command_line?: string;
  @ApiPropertyOptional({ type: [String] }) args?: string[];
  @ApiPropertyOptional() pwd?: string;
}

export class TimelineResponse {
  @ApiProperty({ type: [TimelineEventModel] }) timeline_events!: TimelineEventModel[];
}
