import type { AlertState, AlertType, Severity } from '@gpu-observatory/domain-types';
import type { PartialResourceDetails } from '../../model/alerts/resource-sections.ts';
import type { GpuReadings } from './gpu-readings.ts';

/** Owner of a record, after the defaults of the command were applied. */
export interface Attribution {
  customer_id: number;
  workspace_id: number | null;
  api_key_id: number | null;
}

export interface WorkspaceRecord {
  kind: 'workspace';
  name: string;
}

export interface GpuInventory {
  vendor?: string;
  model?: string;
  compute_stack?: string;
  driver_version?: string;
  firmware_version?: string;
  hostname?: string;
  pcie_address?: string;
  serial_no?: string;
  mig_enabled?: boolean;
  slowdown_temperature_c?: number | null;
  shutdown_temperature_c?: number | null;
  memory_temperature_limit_c?: number | null;
  report_interval_seconds?: number;
}

export interface GpuRecord extends GpuInventory {
  kind: 'gpu';
  at: string;
  gpu_id: string;
  hostname: string;
}

export interface GpuSampleRecord extends GpuReadings {
  kind: 'gpu_sample';
  at: string;
  gpu_id: string;
  /** Whether a new incident raises an alert. */
  raise_alert?: boolean;
}

export interface GpuDayRecord {
  kind: 'gpu_day';
  day: string;
  gpu_id: string;
  samples: number[];
  utilization_pct: (number | null)[];
  memory_used_mib: (number | null)[];
  temperature_c: (number | null)[];
  power_draw_w: (number | null)[];
  memory_total_mib?: number | null;
  fan_pct?: number | null;
  sm_clock_mhz?: number | null;
  memory_clock_mhz?: number | null;
  memory_temperature_c?: number | null;
  tensor_active_pct?: number | null;
  dram_active_pct?: number | null;
  pcie_tx_mb_per_second?: number | null;
  pcie_rx_mb_per_second?: number | null;
  energy_millijoules?: number | null;
  xid_reported?: boolean;
  thermal_slope_c_per_minute?: number | null;
  health_score?: number | null;
  health_hours?: number;
  ecc_errors?: number | null;
  throttle_events?: number | null;
}

export interface XidEventRecord {
  kind: 'xid_event';
  at: string;
  gpu_id: string;
  code: number;
  message?: string;
  /** Number among the events that are equal otherwise. */
  occurrence?: number;
  /** Order of events with the same time. */
  sequence?: number;
  /** Host and address of the GPU as the driver logged them. */
  hostname?: string;
  pcie_address?: string;
  pid?: number;
  process_name?: string;
  /** Whether a new incident raises an alert. */
  raise_alert?: boolean;
}

/** Where a process, pod or job belongs; absent when unknown. */
export interface JobPlace {
  /** Kubernetes namespace and pod. */
  namespace?: string;
  pod?: string;
  /** Job of a batch system or training operator. */
  job?: string;
  /** User or team. */
  owner?: string;
}

export interface GpuProcessRecord extends JobPlace {
  kind: 'gpu_process';
  at: string;
  gpu_id: string;
  pid: number;
  started_at: string;
  name?: string;
  description?: string;
  usage_category?: string;
  gpu_utilization_pct?: number | null;
  memory_used_mib?: number | null;
}

export interface GpuWorkloadRecord extends JobPlace {
  kind: 'gpu_workload';
  at: string;
  gpu_id: string;
  name: string;
  /** Distinguishes workloads of one name. */
  uid?: string;
  description?: string;
  usage_category?: string;
}

export interface HostRecord {
  kind: 'host';
  at: string;
  hostname: string;
  host_id?: string;
  cpus?: number;
  memory_total_mib?: number | null;
  operating_system?: string;
  kernel?: string;
  started_at?: string;
}

/** Null or absent: not measured. */
export interface HostReadings {
  cpu_load_1m?: number | null;
  cpu_utilization_pct?: number | null;
  forks_per_second?: number | null;
  exits_per_second?: number | null;
}

export interface HostSampleRecord extends HostReadings {
  kind: 'host_sample';
  at: string;
  hostname: string;
}

export interface HostDayRecord extends HostReadings {
  kind: 'host_day';
  day: string;
  hostname: string;
  samples: number;
}

export interface ContainerRecord {
  kind: 'container';
  at: string;
  container_id: string;
  hostname: string;
  name?: string;
  image?: string;
  namespace?: string;
  pod?: string;
  started_at?: string;
  gpu_ids?: string[];
  mps?: boolean;
}

export interface VmRecord {
  kind: 'vm';
  at: string;
  vm_id: string;
  hostname: string;
  name?: string;
  gpu_ids?: string[];
}

export interface ProcessRecord {
  kind: 'process';
  at: string;
  hostname: string;
  pid: number;
  started_at: string;
  name?: string;
  command_line?: string;
  container_id?: string;
}

export interface AgentSessionRecord {
  kind: 'agent_session';
  at: string;
  session_id: string;
  hostname: string;
  host_id?: string;
  agent_version?: string;
  started_at?: string;
}

export interface AlertRecord {
  kind: 'alert';
  id: string;
  title: string;
  description: string;
  type: AlertType;
  severity: Severity;
  state?: AlertState;
  created_at: string;
  hostname?: string | null;
  gpu_id?: string | null;
  gpu_model?: string | null;
  gpu_serial?: string | null;
  session_id?: string;
  host_id?: string;
  resource_details?: PartialResourceDetails;
}

export interface AlertStateRecord {
  kind: 'alert_state';
  at?: string;
  alert_id: string;
  state: AlertState;
}

export interface TimelineEventRecord {
  kind: 'timeline_event';
  alert_id: string;
  ts: string;
  pid: number;
  tid: number;
  event_type: string;
  event_info: string;
  comm?: string;
  command_line?: string;
  args?: string[];
  pwd?: string;
}

export type ImportRecord =
  | WorkspaceRecord
  | GpuRecord
  | GpuSampleRecord
  | GpuDayRecord
  | XidEventRecord
  | GpuProcessRecord
  | GpuWorkloadRecord
  | HostRecord
  | HostSampleRecord
  | HostDayRecord
  | ContainerRecord
  | VmRecord
  | ProcessRecord
  | AgentSessionRecord
  | AlertRecord
  | AlertStateRecord
  | TimelineEventRecord;

/** A record with its owner. */
export type Attributed<R extends ImportRecord = ImportRecord> = R & Attribution;
