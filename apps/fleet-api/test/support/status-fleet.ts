import type { Access } from '@gpu-observatory/domain-types';
import { alertRecord, gpuRecord, minutesAgo as before, sampleRecord, xidRecord } from './records.ts';

export const NOW = Date.now();
export const minutesAgo = (minutes: number) => before(minutes, NOW);
export const ALL: Access = [{ customer_id: 1, workspace_ids: 'all' }];
export const BOTH: Access = [...ALL, { customer_id: 2, workspace_ids: 'all' }];
export const OF_11: Access = [{ customer_id: 1, workspace_ids: [11] }];
export const OTHER: Access = [{ customer_id: 3, workspace_ids: 'all' }];

/** GPUs are missing 50 minutes after their last report, and signals last as long. */
const REPORT_INTERVAL = { report_interval_seconds: 600 };
const BOARD = { shutdown_temperature_c: 95, slowdown_temperature_c: 87, ...REPORT_INTERVAL };
const gpu = (id: string, hostname: string, more: object = {}) =>
  gpuRecord(id, { at: minutesAgo(120), hostname, model: 'H100', ...BOARD, ...more });

/** An id without a UUID. */
export const COMPOSITE_ID = 'node-4|0000:3B:00.0|guest';

/**
 * Hosts of customer 1 from the worst to the healthy ones, and one of customer 2:
 *
 *     node-1  GPU-a critical: near shutdown       GPU-b healthy and idle, of another model
 *     node-2  GPU-c missing after XID 79          GPU-d missing; workspace 11
 *     node-3  GPU-e degraded: slowed down
 *     node-4  a GPU without telemetry
 *     node-9  GPU-f of customer 2, healthy
 */
export function statusRecords(): object[] {
  return [
    gpu('GPU-a', 'node-1', {
      vendor: 'NVIDIA',
      pcie_address: '00000000:9D:00.0',
      serial_no: 's-1',
      api_key_id: 5,
    }),
    gpu('GPU-b', 'node-1', { model: 'A100', pcie_address: '00000000:3B:00.0' }),
    gpu('GPU-c', 'node-2', { workspace_id: 11 }),
    gpu('GPU-d', 'node-2', { workspace_id: 11 }),
    gpu('GPU-e', 'node-3'),
    gpu(COMPOSITE_ID, 'node-4'),
    gpu('GPU-f', 'node-9', { customer_id: 2, workspace_id: 20 }),
    sampleRecord('GPU-a', minutesAgo(30), {
      utilization_pct: 40,
      temperature_c: 93,
      memory_used_mib: 1_024,
      memory_total_mib: 81_920,
      power_draw_w: 600,
      power_limit_w: 700,
      xid_last_code: 0,
    }),
    sampleRecord('GPU-a', minutesAgo(1), { utilization_pct: 60, temperature_c: 94, memory_used_mib: 2_048 }),
    sampleRecord('GPU-b', minutesAgo(1), { utilization_pct: 1, temperature_c: 50, power_draw_w: 100.5 }),
    sampleRecord('GPU-c', minutesAgo(60), { utilization_pct: 90, temperature_c: 99 }),
    sampleRecord('GPU-d', minutesAgo(70), { utilization_pct: 90 }),
    sampleRecord('GPU-e', minutesAgo(1), { utilization_pct: 20, temperature_c: 88 }),
    sampleRecord('GPU-f', minutesAgo(1), { customer_id: 2, utilization_pct: 4, temperature_c: 60 }),
    xidRecord('GPU-c', minutesAgo(61), 79),
    alertRecord(1, { hostname: 'node-1', severity: 'critical', created_at: minutesAgo(20) }),
    // Of a GPU of the host, once without the host and once with it.
    alertRecord(2, { gpu_id: 'GPU-a', severity: 'high', created_at: minutesAgo(20) }),
    alertRecord(3, { hostname: 'node-1', gpu_id: 'GPU-a', severity: 'high', created_at: minutesAgo(20) }),
    alertRecord(4, { hostname: 'node-1', severity: 'low', created_at: minutesAgo(3 * 24 * 60) }),
    alertRecord(5, { hostname: 'node-2', severity: 'info', created_at: minutesAgo(20), workspace_id: 10 }),
    alertRecord(6, { hostname: 'node-2', severity: 'low', created_at: minutesAgo(20), workspace_id: 11 }),
    {
      kind: 'gpu_process',
      customer_id: 1,
      at: minutesAgo(1),
      gpu_id: 'GPU-a',
      pid: 7,
      started_at: minutesAgo(100),
      name: 'vllm serve',
      usage_category: 'inference',
      namespace: 'serving',
      pod: 'llama-0',
      owner: 'search',
    },
    {
      kind: 'gpu_process',
      customer_id: 1,
      at: minutesAgo(90),
      gpu_id: 'GPU-a',
      pid: 6,
      started_at: minutesAgo(100),
      name: 'ended',
    },
    {
      kind: 'gpu_workload',
      customer_id: 1,
      at: minutesAgo(60),
      gpu_id: 'GPU-c',
      name: 'train-0',
      description: 'Kubernetes pod, namespace ml',
      namespace: 'ml',
      pod: 'train-0',
      job: 'train',
      owner: 'research',
    },
    {
      kind: 'host',
      customer_id: 1,
      workspace_id: 10,
      at: minutesAgo(5),
      hostname: 'node-1',
      cpus: 96,
      memory_total_mib: 1_048_576,
      operating_system: 'Ubuntu 24.04',
      kernel: '6.8.0',
      started_at: minutesAgo(65),
    },
    {
      kind: 'host_sample',
      customer_id: 1,
      workspace_id: 10,
      at: minutesAgo(2),
      hostname: 'node-1',
      cpu_load_1m: 11.5,
      cpu_utilization_pct: 12,
    },
  ];
}
