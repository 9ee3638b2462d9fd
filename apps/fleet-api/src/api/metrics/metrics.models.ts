import { ApiProperty } from '@nestjs/swagger';
import { SEVERITIES } from '@gpu-observatory/domain-types';
import { nullableNumber } from '../openapi/nullable.ts';
import { ALERT_TYPE_ICONS } from './alert-type-titles.ts';

const count = { type: 'integer', minimum: 0 } as const;
const date = { description: 'A UTC day, such as Nov 21.', example: 'Nov 21' };
const mean = (description: string) => ({
  ...nullableNumber,
  description: `${description} Null without samples in the window.`,
});

class DayPointModel {
  @ApiProperty(date) date!: string;
  @ApiProperty(count) value!: number;
}

class SeverityModel {
  @ApiProperty({ enum: SEVERITIES }) label!: string;
  @ApiProperty(count) value!: number;
  @ApiProperty({ type: [DayPointModel], description: 'One point per day.' }) data!: DayPointModel[];
}

class TopAlertTypeModel {
  @ApiProperty({ enum: ALERT_TYPE_ICONS }) icon!: string;
  @ApiProperty() title!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) count!: number;
}

class AssetCoverageModel {
  @ApiProperty({ enum: ['GPUs', 'Hosts', 'Containers', 'VMs', 'Workspaces'] }) label!: string;
  @ApiProperty({ ...count, description: 'Seen in the window.' }) count!: number;
  @ApiProperty({ type: [DayPointModel], description: 'Seen on each day.' }) data!: DayPointModel[];
}

class MetricsSummaryModel {
  @ApiProperty(count) gpu_count!: number;
  @ApiProperty(mean('Percent.')) avg_gpu_utilization!: number | null;
  @ApiProperty(mean('Celsius.')) avg_gpu_temperature!: number | null;
  @ApiProperty(mean('W.')) avg_gpu_power!: number | null;
  @ApiProperty(mean('Percent used.')) avg_gpu_memory!: number | null;
  @ApiProperty(mean('Percent, of boards with fans.')) avg_gpu_fan_speed!: number | null;
  @ApiProperty(mean('MHz, streaming multiprocessor clock.')) avg_clock_speed!: number | null;
  @ApiProperty(mean('MHz, memory clock.')) avg_memory_clock!: number | null;
  @ApiProperty(mean('Celsius, of the memory.')) avg_memory_temperature_c!: number | null;
  @ApiProperty(mean('Percent of the cycles in which tensor cores are active.')) avg_tensor_active_pct!:
    number | null;
  @ApiProperty(mean('Percent of the cycles in which the memory interface is active.')) avg_dram_active_pct!:
    number | null;
  @ApiProperty(mean('1,000,000 bytes per second that a GPU sends over PCIe.')) avg_pcie_tx_mb_per_second!:
    number | null;
  @ApiProperty(mean('1,000,000 bytes per second that a GPU receives over PCIe.')) avg_pcie_rx_mb_per_second!:
    number | null;
  @ApiProperty({
    ...nullableNumber,
    description: 'Energy of the GPUs, from their counters. Null without two readings of a counter.',
  })
  total_energy_kwh!: number | null;
  @ApiProperty(mean('100 healthy, 50 degraded, 0 critical or missing; weighted by time.')) avg_health_score!:
    number | null;
  @ApiProperty(mean('Celsius per minute.')) avg_thermal_slope!: number | null;
  @ApiProperty(count) total_ecc_errors!: number;
  @ApiProperty(count) total_xid_errors!: number;
  @ApiProperty({
    ...count,
    description: 'GPUs with critical XIDs less than 3 minutes apart that have not been healthy since.',
  })
  active_crash_chains!: number;
  @ApiProperty(count) total_throttle_events!: number;
  @ApiProperty(mean('One-minute load average.')) avg_cpu_load!: number | null;
  @ApiProperty(mean('Percent.')) avg_cpu_utilization!: number | null;
  @ApiProperty(count) process_count!: number;
  @ApiProperty(mean('Processes per second.')) avg_fork_rate!: number | null;
  @ApiProperty(mean('Processes per second.')) avg_exit_rate!: number | null;
  @ApiProperty(count) container_count!: number;
  @ApiProperty(count) gpu_container_count!: number;
  @ApiProperty(count) mps_container_count!: number;
  @ApiProperty(count) container_process_count!: number;
  @ApiProperty(count) vm_count!: number;
}

export class FleetMetricsModel {
  @ApiProperty({ type: [SeverityModel], minItems: 5, maxItems: 5, description: 'From critical to info.' })
  alerts_by_severity!: SeverityModel[];
  @ApiProperty({ type: [TopAlertTypeModel], maxItems: 3, description: 'Most frequent first.' })
  top_alert_types!: TopAlertTypeModel[];
  @ApiProperty({ type: [AssetCoverageModel], minItems: 5, maxItems: 5 })
  asset_coverage!: AssetCoverageModel[];
  @ApiProperty({ type: MetricsSummaryModel }) metrics_summary!: MetricsSummaryModel;
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'array',
      items: {
        type: 'object',
        required: ['date', 'value'],
        properties: { date: { type: 'string', ...date }, value: nullableNumber },
      },
    },
    description:
      'Keys of the summary, with one point per day, null on days without samples. Keys without data are omitted.',
  })
  metrics_charts!: Record<string, { date: string; value: number | null }[]>;
}

/** See docs/fleet-api.md#fleet-metrics. */
export class MetricsModel {
  @ApiProperty({ type: FleetMetricsModel }) metrics!: FleetMetricsModel;
}
