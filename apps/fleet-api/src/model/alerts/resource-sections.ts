import {
  type AlertGpuDetails,
  type AlertListItem,
  type NodeDetails,
  parseTimestamp,
  type ProcessDetails,
  type ResourceDetails,
} from '@gpu-observatory/domain-types';

/** The six sections as a source tells them: any may be left out, and any field of those that the contract spells out. */
export interface PartialResourceDetails {
  process_details?: Partial<ProcessDetails> | null;
  memory_details?: ResourceDetails['memory_details'];
  workload_details?: ResourceDetails['workload_details'];
  gpu_details?: Partial<AlertGpuDetails> | null;
  node_details?: Partial<NodeDetails>;
  container_details?: ResourceDetails['container_details'];
}

/** What sections are filled with of the alert that they belong to. */
export type AlertOfSections = Pick<AlertListItem, 'created_at' | 'gpu_model' | 'gpu_serial'> & {
  gpu_id: string | null;
};

const NO_PROCESS: ProcessDetails = {
  title: '',
  process_name: '',
  pid: 0,
  start_time: '',
  current_status: '',
  last_modified: '',
  parent_process_pid: 0,
  command_line: '',
};

const NO_GPU: AlertGpuDetails = {
  gpu_id: '',
  model: '',
  vendor: '',
  gpu_utilization: '',
  temperature: '',
  driver_version: '',
  firmware_version: '',
  serial_number: '',
  power_draw: '',
  fan_speed: '',
  clock_throttle_events: '',
  host_id: '',
  node: '',
  utilization_data: [],
  temperature_chart: [],
};

const NO_NODE: NodeDetails = {
  node_id: '',
  uptime: '',
  cpu_load: '',
  number_of_cpus_attached: '',
  cpu_utilization_average: '',
};

/**
 * The sections with every field of the contract (2.3), which has no place there for what is unknown: texts are empty
 * then, numbers 0, charts without points. A process has started when the alert was made, and a GPU is the alert's.
 */
export function completeResourceDetails(
  given: PartialResourceDetails,
  alert: AlertOfSections,
): ResourceDetails {
  const { process_details: process, gpu_details: gpu } = given;
  return {
    process_details: process
      ? { ...NO_PROCESS, ...process, start_time: startOf(process) ?? alert.created_at }
      : null,
    memory_details: given.memory_details ?? null,
    workload_details: given.workload_details ?? null,
    gpu_details: gpu ? { ...NO_GPU, ...ofAlert(alert), ...gpu } : null,
    node_details: { ...NO_NODE, ...given.node_details },
    container_details: given.container_details ?? null,
  };
}

/** In the one form of times; null where it is none. */
function startOf({ start_time }: Partial<ProcessDetails>): string | null {
  return parseTimestamp(start_time ?? '')?.toISOString() ?? null;
}

function ofAlert({ gpu_id, gpu_model, gpu_serial }: AlertOfSections) {
  return { gpu_id: gpu_id ?? '', model: gpu_model ?? '', serial_number: gpu_serial ?? '' };
}
