/** An alert on a GPU, as in a list. */
const alertOnGpu = {
  id: '4457aa40-61c3-4b4e-b7ae-9b359e835759',
  title: 'GPU-3631a6e3-d28d-47c2-bdae-031dedaffa5c busy without a scheduled job',
  description:
    'Process python3 (pid 2000053) keeps the Tesla T4 at 33 % in a pattern that matches proof-of-work kernels rather than training.',
  type: 'gpu_usage',
  severity: 'high',
  state: 'active',
  created_at: '2026-11-22T17:32:58.793Z',
  hostname: 'research-t4-11',
  gpu_model: 'Tesla T4',
  gpu_serial: '1659184374253',
  workspace_id: 1,
  api_key_id: 1,
};

export const alertPage = {
  alerts: [
    alertOnGpu,
    {
      id: 'f50f5780-ce4c-473c-af51-3acb0cccee82',
      title: 'Admission webhook was removed from the cluster',
      description: 'ubuntu deleted the admission webhook that checks images in namespace batch.',
      type: 'controlplane_integrity',
      severity: 'high',
      state: 'active',
      created_at: '2026-11-22T17:30:12.780Z',
      hostname: null,
      gpu_model: null,
      gpu_serial: null,
      workspace_id: null,
      api_key_id: null,
    },
  ],
  next_page_token: 'VCMYMtmG2Pl0WzEsIjhhLVhQ…',
  total_size: 4111,
};

export const alertSummary = {
  summary: {
    severity: [
      { value: 'critical', count: 1713 },
      { value: 'high', count: 3136 },
      { value: 'medium', count: 3868 },
      { value: 'low', count: 2538 },
      { value: 'info', count: 946 },
    ],
    type: [
      { value: 'gpu_usage', count: 768 },
      { value: 'process_anomaly', count: 681 },
      { value: 'network_anomaly', count: 627 },
    ],
    state: [
      { value: 'active', count: 10333 },
      { value: 'ignored', count: 1868 },
    ],
  },
};

export const severityTrend = {
  points: [
    { bucket: '2026-11-22T00:00:00.000Z', severity: 'medium', count: 133 },
    { bucket: '2026-11-22T00:00:00.000Z', severity: 'low', count: 87 },
    { bucket: '2026-11-22T00:00:00.000Z', severity: 'info', count: 22 },
  ],
};

const { gpu_model: _model, gpu_serial: _serial, ...commonFields } = alertOnGpu;

export const alert = {
  alert: {
    ...commonFields,
    workspace_name: 'Research',
    customer_id: 1,
    summary_data: {
      alert_info: { title: alertOnGpu.title, description: alertOnGpu.description },
      alert_sequence: { steps: [] },
    },
    resource_details: {
      process_details: {
        title: 'python3 under python3',
        process_name: 'python3',
        pid: 2000053,
        start_time: '2026-11-22T17:30:14.793Z',
        current_status: 'terminated',
        last_modified: '2026-05-23T14:30:14.000Z',
        parent_process_pid: 1353020,
        command_line: 'python3 experiment.py --epochs 400',
      },
      memory_details: null,
      workload_details: {
        workload_name: 'embedding',
        workload_kind: 'Job',
        namespace: 'default',
        pod_name: 'embedding-28abe-f7409',
        usage_category: 'inference',
        replicas: 3,
        gpus_requested: 1,
        owner: '',
      },
      gpu_details: {
        gpu_id: 'GPU-3631a6e3-d28d-47c2-bdae-031dedaffa5c',
        model: 'Tesla T4',
        vendor: 'NVIDIA',
        gpu_utilization: '33',
        temperature: '51',
        driver_version: '535.183.06',
        firmware_version: '90.04.84.00.06',
        serial_number: alertOnGpu.gpu_serial,
        power_draw: '21.5',
        fan_speed: '',
        clock_throttle_events: '6',
        host_id: 'cd8cb47c-4971-4b37-bffe-93a89ca6d2ec',
        node: alertOnGpu.hostname,
        utilization_data: [
          { time: 1795368000, value: 43 },
          { time: 1795368300, value: 43 },
          { time: 1795368600, value: 33 },
        ],
        temperature_chart: [
          { time: 1795368000, value: 54 },
          { time: 1795368300, value: 54 },
          { time: 1795368600, value: 51 },
        ],
      },
      node_details: {
        node_id: alertOnGpu.hostname,
        uptime: '140 days, 17:56',
        cpu_load: '27.91',
        number_of_cpus_attached: '128',
        cpu_utilization_average: '21.8%',
      },
      container_details: null,
    },
    correlated_alerts: { correlated_alerts: [] },
  },
};

export const timeline = {
  timeline_events: [
    {
      ts: '2026-11-22T17:28:03.793Z',
      pid: 1353020,
      tid: 1353020,
      event_type: 'process_exec',
      event_info: 'python3 started by root',
      comm: 'python3',
      command_line: 'python3 experiment.py --epochs 400',
      args: ['experiment.py', '--epochs', '400'],
      pwd: '/home/jupyter/work',
    },
    {
      ts: '2026-11-22T17:29:02.160Z',
      pid: 2000053,
      tid: 2000053,
      event_type: 'file_open',
      event_info: '/dev/nvidiactl opened read-write',
      comm: 'python3',
      pwd: '/home/jupyter/work',
    },
    {
      ts: '2026-11-22T17:32:03.705Z',
      pid: 2000053,
      tid: 2000053,
      event_type: 'gpu_telemetry',
      event_info: 'utilization 33 %, 51 C, 21 W',
    },
  ],
};
