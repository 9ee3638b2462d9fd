const gpuId = 'GPU-0a47a8dc-47b8-4583-bcc8-03efb85aa0e7';

const reason = {
  rule: 'temperature_near_shutdown',
  health: 'critical',
  evidence: '94 °C; the board shuts down at 95 °C',
  evidence_at: '2026-11-22T16:52:15.000Z',
  since: '2026-11-22T16:41:00.000Z',
  until: '2026-11-22T17:02:15.000Z',
  action:
    'Drain the host and check its cooling: fans, air flow and inlet temperature. The GPU is about to shut down.',
};

const gpu = {
  gpu_id: gpuId,
  hostname: 'gpu13.inference.internal',
  workspace_id: 3,
  vendor: 'NVIDIA',
  model: 'NVIDIA H200',
  pcie_address: '00000000:9D:00.0',
  serial_no: '1653725012345',
  health: 'critical',
  since: '2026-11-22T16:41:00.000Z',
  reason,
  latest: {
    utilization_pct: 88,
    memory_used_gb: 121.337,
    memory_total_gb: 140.4,
    temperature_c: 94,
    power_draw_w: 655,
    power_limit_w: 700,
  },
  mean: { utilization_pct: 79.41, temperature_c: 75.4 },
  idle: false,
  xid_errors: 0,
  last_seen: '2026-11-22T16:52:15.000Z',
};

const hostRow = {
  hostname: gpu.hostname,
  customer_id: 1,
  workspace_ids: [gpu.workspace_id],
  health: gpu.health,
  since: gpu.since,
  reason: { ...reason, gpu_id: gpuId },
  gpu_count: 1,
  gpus_by_health: { critical: 1, missing: 0, degraded: 0, healthy: 0 },
  models: [gpu.model],
  latest: { utilization_pct: 88, max_temperature_c: 94, power_draw_w: 655 },
  mean: { utilization_pct: 79.41 },
  idle_gpu_count: 0,
  alerts: { critical: 1, high: 0, medium: 2, low: 0, info: 0 },
  last_seen: gpu.last_seen,
};

const job = {
  gpu_id: gpuId,
  kind: 'workload',
  pid: null,
  name: 'llama-7577f87fc7-dhb97',
  description: 'Kubernetes pod, namespace inference',
  usage_category: 'inference',
  namespace: 'inference',
  pod: 'llama-7577f87fc7-dhb97',
  job: '',
  owner: 'ml-platform',
  first_seen: '2026-11-20T08:02:30.000Z',
  last_seen: '2026-11-22T16:52:15.000Z',
  is_running: true,
};

export const gpuStatus = { gpus: [gpu] };
export const hosts = { hosts: [hostRow] };
export const host = {
  host: {
    ...hostRow,
    gpus: [{ ...gpu, reasons: [reason] }],
    jobs: [job],
    cpu: { load_1m: 11.5, utilization_pct: 12, at: '2026-11-22T16:52:00.000Z' },
    uptime: { seconds: 5_184_000, at: '2026-11-22T16:45:00.000Z' },
    cpu_count: 192,
    memory_total_gb: 1_536,
    operating_system: 'Ubuntu 24.04.3 LTS',
    kernel: '6.8.0-85-generic',
  },
};
export const gpuHistory = {
  gpu_id: gpuId,
  from: '2026-11-22T16:40:00.000Z',
  to: '2026-11-22T16:43:00.000Z',
  step_seconds: 60,
  readings: {
    at: ['2026-11-22T16:40:00.000Z', '2026-11-22T16:41:00.000Z', '2026-11-22T16:42:00.000Z'],
    utilization_pct: [88, 87.5, null],
    memory_used_gb: [121.337, 121.337, null],
    temperature_c: [91, 92.25, null],
    power_draw_w: [655, 651.5, null],
    memory_temperature_c: [88, 89, null],
    tensor_active_pct: [41.2, 40.9, null],
  },
  jobs: [job],
};
