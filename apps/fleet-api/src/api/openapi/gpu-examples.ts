const gpu = {
  workspace_id: 3,
  gpu_id: 'GPU-0a47a8dc-47b8-4583-bcc8-03efb85aa0e7',
  vendor: 'NVIDIA',
  model: 'NVIDIA H200',
  compute_stack: 'CUDA 12.9',
  driver_version: '575.57.08',
  hostname: 'gpu13.inference.internal',
  pcie_address: '00000000:9D:00.0',
  serial_no: '1650092857562',
  health: 'critical',
  utilization_pct: 91.76,
  temperature_c: 76.48,
  xid_errors: 0,
  last_seen: '2026-11-22T17:33:47.812Z',
};

/** Response of `GET …/gpus`. Readings are means over the window of the request. */
export const gpuPage = {
  gpus: [
    gpu,
    {
      ...gpu,
      gpu_id: 'GPU-5a7b3f1c-bffc-4eb0-9981-92cf77970171',
      pcie_address: '00000000:C3:00.0',
      serial_no: '1652636852307',
      utilization_pct: 91.94,
      temperature_c: 78.88,
    },
  ],
};

/** Response of `GET …/gpus/{id}`. `alerts_by_severity` has the counts from critical to low. */
export const gpuDetail = {
  gpu: {
    gpu_id: gpu.gpu_id,
    vendor: gpu.vendor,
    model: gpu.model,
    health: gpu.health,
    specs: {
      serial_no: gpu.serial_no,
      compute_stack: gpu.compute_stack,
      driver_version: gpu.driver_version,
      firmware_version: '96.00.BC.00.02',
      hostname: gpu.hostname,
      pcie_address: gpu.pcie_address,
      mig_enabled: false,
    },
    security: { total_alerts_24h: 0, alerts_by_severity: [0, 0, 0, 0] },
    security_diagnostics: {
      alerts_24h: 0,
      by_severity: [
        { severity: 'critical', count: 0 },
        { severity: 'high', count: 0 },
        { severity: 'medium', count: 0 },
        { severity: 'low', count: 0 },
        { severity: 'info', count: 0 },
      ],
      by_type: [],
      recent_xid_errors: [],
      health: {
        status: 'critical',
        reasons: [
          {
            rule: 'temperature_near_shutdown',
            since: '2026-11-22T17:02:32.812Z',
            until: '2026-11-22T17:43:47.812Z',
            health: 'critical',
            evidence: '94 °C; the board shuts down at 95 °C',
          },
          {
            rule: 'throttling',
            since: '2026-11-22T17:00:02.812Z',
            until: '2026-11-22T17:43:47.812Z',
            health: 'degraded',
            evidence: 'throttled 20 times in 10 minutes',
          },
          {
            rule: 'temperature_slowdown',
            since: '2026-11-22T16:51:47.812Z',
            until: '2026-11-22T17:43:47.812Z',
            health: 'degraded',
            evidence: '94 °C; the board slows down at 89 °C',
          },
        ],
      },
    },
    xid: { errors_24h: 0, trend_7d: 'flat', last_code: 13 },
    telemetry: {
      utilization_pct: 98,
      memory_used_gb: 128.176,
      memory_total_gb: 140.401,
      temperature_c: 94,
      power_draw_w: 670.5,
      power_limit_w: 700,
      fan_pct: null,
      history: {
        utilization: [96.86, 93.82, 97],
        memory: [128.176, 128.176, 128.176],
        temperature: [85.53, 92, 94],
        power: [661.66, 644.29, 662.87],
      },
    },
    processes: [
      {
        pid: '51300',
        name: 'torchrun pretrain_gpt.py',
        description: 'Megatron-LM pre-training, tensor parallel 8',
        usage_category: 'training',
        gpu_utilization_pct: 98,
        memory_usage_gb: 127.765,
        started_at: '2026-11-22T08:23:22.076Z',
      },
    ],
    utilization: {
      busy_seconds_24h: 77007,
      idle_seconds_24h: 9380,
      usage_categories: [{ usage_category: 'training', process_count: 1 }],
      analyzed_event_count: 0,
      process_families: [{ name: 'torchrun pretrain_gpt.py', process_count: 1 }],
      hardware: {
        tensor_active_pct: 61.3,
        dram_active_pct: 48.9,
        pcie_tx_mb_per_second: 412.6,
        pcie_rx_mb_per_second: 388.1,
        memory_temperature_c: 88,
        remapped_rows_total: 0,
        energy_total_kwh: 1284.4,
      },
    },
    last_refreshed_at: gpu.last_seen,
  },
};
