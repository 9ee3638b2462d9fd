import { ApiProperty } from '@nestjs/swagger';
import { GPU_HEALTHS, SEVERITIES, XID_TRENDS } from '@gpu-observatory/domain-types';
import { LatestReadingsModel } from '../gpu-status/gpu-status.models.ts';
import { nullableInteger, nullableNumber, nullableTime } from '../openapi/nullable.ts';

const integer = { type: 'integer' as const };
const time = { format: 'date-time' };

class SpecsModel {
  @ApiProperty() serial_no!: string;
  @ApiProperty() compute_stack!: string;
  @ApiProperty() driver_version!: string;
  @ApiProperty() firmware_version!: string;
  @ApiProperty() hostname!: string;
  @ApiProperty() pcie_address!: string;
  @ApiProperty() mig_enabled!: boolean;
}

class SecurityModel {
  @ApiProperty(integer) total_alerts_24h!: number;
  @ApiProperty({
    type: 'array',
    items: integer,
    minItems: 4,
    maxItems: 4,
    description: 'critical, high, medium, low',
  })
  alerts_by_severity!: number[];
}

class SeverityCountModel {
  @ApiProperty({ enum: SEVERITIES }) severity!: string;
  @ApiProperty(integer) count!: number;
}

class TypeCountModel {
  @ApiProperty() type!: string;
  @ApiProperty(integer) count!: number;
}

class XidErrorModel {
  @ApiProperty(integer) code!: number;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: SEVERITIES }) severity!: string;
  @ApiProperty({ description: "NVIDIA's immediate action." }) action!: string;
  @ApiProperty({ ...integer, description: 'XIDs of the incident.' }) count!: number;
  @ApiProperty(time) occurred_at!: string;
}

class HealthReasonModel {
  @ApiProperty() rule!: string;
  @ApiProperty({ enum: GPU_HEALTHS }) health!: string;
  @ApiProperty() evidence!: string;
  @ApiProperty(time) since!: string;
  @ApiProperty(nullableTime) until!: string | null;
}

class HealthModel {
  @ApiProperty({ enum: GPU_HEALTHS }) status!: string;
  @ApiProperty({ type: [HealthReasonModel] }) reasons!: HealthReasonModel[];
}

class SecurityDiagnosticsModel {
  @ApiProperty(integer) alerts_24h!: number;
  @ApiProperty({ type: [SeverityCountModel] }) by_severity!: SeverityCountModel[];
  @ApiProperty({ type: [TypeCountModel] }) by_type!: TypeCountModel[];
  @ApiProperty({ type: [XidErrorModel] }) recent_xid_errors!: XidErrorModel[];
  @ApiProperty({ type: HealthModel }) health!: HealthModel;
}

class XidModel {
  @ApiProperty({ ...nullableInteger, description: 'Null when no source of XIDs has reported.' }) errors_24h!:
    number | null;
  @ApiProperty({ enum: XID_TRENDS }) trend_7d!: string;
  @ApiProperty(nullableInteger) last_code!: number | null;
}

class HistoryModel {
  @ApiProperty({ type: [Number], description: 'Percent.' }) utilization!: number[];
  @ApiProperty({ type: [Number], description: 'GB.' }) memory!: number[];
  @ApiProperty({ type: [Number], description: 'Celsius.' }) temperature!: number[];
  @ApiProperty({ type: [Number], description: 'W.' }) power!: number[];
}

class TelemetryModel extends LatestReadingsModel {
  @ApiProperty(nullableNumber) fan_pct!: number | null;
  @ApiProperty({ type: HistoryModel, description: 'Means per half hour of the last 24 h, oldest first.' })
  history!: HistoryModel;
}

class ProcessModel {
  @ApiProperty() pid!: string;
  @ApiProperty() name!: string;
  @ApiProperty() description!: string;
  @ApiProperty({ description: 'Empty when unclassified.' }) usage_category!: string;
  @ApiProperty(nullableNumber) gpu_utilization_pct!: number | null;
  @ApiProperty(nullableNumber) memory_usage_gb!: number | null;
  @ApiProperty(time) started_at!: string;
}

class UsageCategoryModel {
  @ApiProperty() usage_category!: string;
  @ApiProperty(integer) process_count!: number;
}

class ProcessFamilyModel {
  @ApiProperty() name!: string;
  @ApiProperty(integer) process_count!: number;
}

class HardwareModel {
  @ApiProperty({ ...nullableNumber, description: 'Share of the cycles in which tensor cores are active.' })
  tensor_active_pct!: number | null;
  @ApiProperty({
    ...nullableNumber,
    description: 'Share of the cycles in which the memory interface is active.',
  })
  dram_active_pct!: number | null;
  @ApiProperty({ ...nullableNumber, description: '1,000,000 bytes per second, sent by the GPU.' })
  pcie_tx_mb_per_second!: number | null;
  @ApiProperty({ ...nullableNumber, description: '1,000,000 bytes per second, received by the GPU.' })
  pcie_rx_mb_per_second!: number | null;
  @ApiProperty(nullableNumber) memory_temperature_c!: number | null;
  @ApiProperty({ ...nullableInteger, description: 'Rows remapped after uncorrectable errors.' })
  remapped_rows_total!: number | null;
  @ApiProperty({ ...nullableNumber, description: 'Energy since the driver was loaded.' })
  energy_total_kwh!: number | null;
}

class UtilizationModel {
  @ApiProperty({
    ...integer,
    description:
      'Each half hour of the last 24 h with a reading counts by its mean utilization, between the first and the last report of the GPU.',
  })
  busy_seconds_24h!: number;
  @ApiProperty({ ...integer, description: 'The remaining seconds of the same half hours.' })
  idle_seconds_24h!: number;
  @ApiProperty({ type: [UsageCategoryModel] }) usage_categories!: UsageCategoryModel[];
  @ApiProperty(integer) analyzed_event_count!: number;
  @ApiProperty({ type: [ProcessFamilyModel] }) process_families!: ProcessFamilyModel[];
  @ApiProperty({ type: HardwareModel, description: 'Newest readings.' }) hardware!: HardwareModel;
}

/** See docs/fleet-api.md#get-a-gpu. */
export class GpuDetailModel {
  @ApiProperty() gpu_id!: string;
  @ApiProperty() vendor!: string;
  @ApiProperty() model!: string;
  @ApiProperty({ enum: GPU_HEALTHS }) health!: string;
  @ApiProperty({ type: SpecsModel }) specs!: SpecsModel;
  @ApiProperty({ type: SecurityModel }) security!: SecurityModel;
  @ApiProperty({ type: SecurityDiagnosticsModel }) security_diagnostics!: SecurityDiagnosticsModel;
  @ApiProperty({ type: XidModel }) xid!: XidModel;
  @ApiProperty({ type: TelemetryModel }) telemetry!: TelemetryModel;
  @ApiProperty({ type: [ProcessModel] }) processes!: ProcessModel[];
  @ApiProperty({ type: UtilizationModel }) utilization!: UtilizationModel;
  @ApiProperty(time) last_refreshed_at!: string;
}

export class GpuDetailResponse {
  @ApiProperty({ type: GpuDetailModel }) gpu!: GpuDetailModel;
}
