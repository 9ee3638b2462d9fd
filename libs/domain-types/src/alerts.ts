/** Severities in rank order, the worst first (docs/fleet-api.md#sorting). */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const ALERT_STATES = ['active', 'ignored'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Alert types (docs/fleet-api.md#alert-types). */
export const ALERT_TYPES = [
  'cpu_usage',
  'gpu_usage',
  'gpu_firmware',
  'gpu_shader',
  'gpu_dma',
  'gpu_power',
  'gpu_interrupt',
  'gpu_command',
  'gpu_memory',
  'gpu_ransomware',
  'gpu_texture',
  'gpu_pcie',
  'gpu_thermal',
  'gpu_throttle',
  'gpu_ecc',
  'gpu_nvlink',
  'process_anomaly',
  'privilege_escalation',
  'command_line_anomaly',
  'system_info_change',
  'network_anomaly',
  'cpu_anomaly',
  'kernel_oops',
  'container_sensitive_mount',
  'container_gpu_access',
  'container_privileged',
  'container_escape',
  'container_cgroup_escape',
  'unknown_binary_exec',
  'rogue_ebpf',
  'gpu_driver_access',
  'c2_covert_channel',
  'model_poisoning',
  'controlplane_integrity',
  'controlplane_credential_attack',
  'controlplane_saturation',
  'controlplane_slo',
  'controlplane_etcd_storage',
  'controlplane_kcm',
  'vm_escape',
  'ray_job_rce',
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** An alert in a list (docs/fleet-api.md#list-alerts). Timestamps are RFC 3339 UTC with milliseconds. */
export interface AlertListItem {
  id: string;
  title: string;
  description: string;
  type: AlertType;
  severity: Severity;
  state: AlertState;
  created_at: string;
  hostname: string | null;
  gpu_model: string | null;
  gpu_serial: string | null;
  workspace_id: number | null;
  api_key_id: number | null;
}

/** `resource_details.process_details` (docs/fleet-api.md#alert-detail). */
export interface ProcessDetails {
  title: string;
  process_name: string;
  pid: number;
  start_time: string;
  current_status: string;
  /** Empty when unknown. */
  last_modified: string;
  parent_process_pid: number;
  command_line: string;
}

interface ChartPoint {
  time: number;
  value: number;
}

/** `resource_details.gpu_details` (docs/fleet-api.md#alert-detail). Numeric readings are strings. */
export interface AlertGpuDetails {
  gpu_id: string;
  model: string;
  vendor: string;
  gpu_utilization: string;
  temperature: string;
  driver_version: string;
  firmware_version: string;
  serial_number: string;
  power_draw: string;
  fan_speed: string;
  clock_throttle_events: string;
  host_id: string;
  node: string;
  utilization_data: ChartPoint[];
  temperature_chart: ChartPoint[];
}

/** `resource_details.node_details` (docs/fleet-api.md#alert-detail), never null. */
export interface NodeDetails {
  node_id: string;
  uptime: string;
  cpu_load: string;
  number_of_cpus_attached: string;
  /** A percentage, such as `37.5%`. */
  cpu_utilization_average: string;
}

/** The six sections of an alert's detail; null without data. */
export interface ResourceDetails {
  process_details: ProcessDetails | null;
  memory_details: Record<string, unknown> | null;
  workload_details: Record<string, unknown> | null;
  gpu_details: AlertGpuDetails | null;
  node_details: NodeDetails;
  container_details: Record<string, unknown> | null;
}

/** An alert's detail (docs/fleet-api.md#alert-detail). It has no `gpu_model` and `gpu_serial`, unlike the list. */
export interface AlertDetail extends Omit<AlertListItem, 'gpu_model' | 'gpu_serial'> {
  workspace_name: string;
  customer_id: number;
  summary_data: {
    alert_info: { title: string; description: string };
    alert_sequence: { steps: unknown[] };
  };
  resource_details: ResourceDetails;
  correlated_alerts: { correlated_alerts: unknown[] };
  /** `session_id` and `host_id` are present only with an agent session. */
  session_id?: string;
  host_id?: string;
}

/** An event of an alert's timeline (docs/fleet-api.md#timeline-events). Optional fields are omitted, never null. */
export interface TimelineEvent {
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
