import {
  type AlertGpuDetails,
  type AlertListItem,
  type NodeDetails,
  parseTimestamp,
  type ProcessDetails,
  type ResourceDetails,
} from '@gpu-observatory/domain-types';

/** The six sections as imported: all sections and fields are optional. */
interface PartialResourceDetails {
  process_details?: Partial<ProcessDetails> | null;
  memory_details?: ResourceDetails['memory_details'];
  workload_details?: ResourceDetails['workload_details'];
  gpu_details?: Partial<AlertGpuDetails> | null;
  node_details?: Partial<NodeDetails>;
  container_details?: ResourceDetails['container_details'];
}

/** Fields of the alert that fill missing fields of its sections. */
type SectionDefaults = Pick<AlertListItem, 'created_at' | 'hostname' | 'gpu_model' | 'gpu_serial'> & {
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
 * Fills all fields of the sections, which the API requires (docs/fleet-api.md#alert-detail): unknown texts are empty, unknown
 * numbers are 0, and charts have no points. An unknown start of a process is the creation of the alert; an unknown GPU or node is
 * that of the alert.
 */
export function completeResourceDetails(
  sections: PartialResourceDetails,
  alert: SectionDefaults,
): ResourceDetails {
  const { process_details: process, gpu_details: gpu, node_details: node } = sections;
  const gpuOfAlert = gpuDetailsOf(alert);
  return {
    process_details: process
      ? {
          ...NO_PROCESS,
          ...process,
          start_time: parseTimestamp(process.start_time ?? '')?.toISOString() ?? alert.created_at,
        }
      : null,
    memory_details: sections.memory_details ?? null,
    workload_details: sections.workload_details ?? null,
    gpu_details: gpu || gpuOfAlert ? { ...NO_GPU, ...gpuOfAlert, ...gpu } : null,
    // An empty id counts as unknown.
    node_details: { ...NO_NODE, ...node, node_id: node?.node_id || (alert.hostname ?? '') },
    container_details: sections.container_details ?? null,
  };
}

/** Returns the fields of an alert that describe its GPU; null for an alert without one. */
function gpuDetailsOf({ gpu_id, gpu_model, gpu_serial }: SectionDefaults): Partial<AlertGpuDetails> | null {
  if (gpu_id === null && gpu_model === null && gpu_serial === null) return null;
  return { gpu_id: gpu_id ?? '', model: gpu_model ?? '', serial_number: gpu_serial ?? '' };
}
