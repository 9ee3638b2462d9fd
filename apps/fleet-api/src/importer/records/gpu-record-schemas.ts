import {
  celsius,
  counter,
  fanPercent,
  gpuId,
  hostname,
  type KindSchema,
  longText,
  memoryTotal,
  name,
  percent,
  pid,
  reading,
  summedCounter,
  timestamp,
} from './field-schemas.ts';

const inventory = {
  vendor: name,
  model: name,
  compute_stack: name,
  driver_version: name,
  firmware_version: name,
  hostname,
  pcie_address: name,
  serial_no: name,
  mig_enabled: { type: 'boolean' },
  /** Temperatures at which the board slows down and shuts down, for the health rules. */
  slowdown_temperature_c: celsius,
  shutdown_temperature_c: celsius,
  /** How often this GPU is reported; it is missing after max(5 intervals, 5 min) of silence. */
  report_interval_seconds: { type: 'integer', minimum: 1, maximum: 86_400 },
};

const readings = {
  utilization_pct: percent,
  memory_used_mib: reading,
  memory_total_mib: memoryTotal,
  temperature_c: celsius,
  power_draw_w: reading,
  power_limit_w: reading,
  fan_pct: fanPercent,
  sm_clock_mhz: reading,
  memory_clock_mhz: reading,
  /** DCGM 230: the last XID code, 0 for none since the driver was loaded; null when the source does not report XIDs. */
  xid_last_code: { type: ['integer', 'null'], minimum: 0, maximum: 100_000 },
  /** DCGM 112: a bit mask. */
  throttle_reasons: counter,
  ecc_single_bit_total: summedCounter,
  ecc_double_bit_total: summedCounter,
  row_remap_failed: { type: ['boolean', 'null'] },
  row_remap_pending: { type: ['boolean', 'null'] },
  nvlink_errors_total: counter,
  pcie_replays_total: counter,
};

/** 48 numbers, one each half hour of a UTC day; null where nothing was measured. */
const halfHours = (item: object) => ({ type: 'array', minItems: 48, maxItems: 48, items: item });

/** Kinds of records about GPUs. */
export const GPU_RECORD_SCHEMAS = {
  /** What a GPU is; the later record wins, field by field, and an earlier one fills what is still empty. */
  gpu: { required: ['at', 'gpu_id', 'hostname'], properties: { at: timestamp, gpu_id: gpuId, ...inventory } },

  /** One reading of one GPU. (gpu_id, at) is its identity: the same one again is skipped, a different one is refused. */
  gpu_sample: {
    required: ['at', 'gpu_id'],
    properties: { at: timestamp, gpu_id: gpuId, ...readings },
  },

  /** A day that was measured elsewhere, as half-hour means weighted by their sample counts. Skipped when the day is known. */
  gpu_day: {
    required: [
      'day',
      'gpu_id',
      'samples',
      'utilization_pct',
      'memory_used_mib',
      'temperature_c',
      'power_draw_w',
    ],
    properties: {
      day: { type: 'string', format: 'date' },
      gpu_id: gpuId,
      samples: halfHours({ type: 'integer', minimum: 0, maximum: 1_800 }),
      utilization_pct: halfHours(percent),
      memory_used_mib: halfHours(reading),
      temperature_c: halfHours(celsius),
      power_draw_w: halfHours(reading),
      /** Means over the day. */
      memory_total_mib: memoryTotal,
      fan_pct: fanPercent,
      sm_clock_mhz: reading,
      memory_clock_mhz: reading,
      /** Whether XIDs were listened for: then a day without one had none, else nobody knows. */
      xid_reported: { type: 'boolean' },
      thermal_slope_c_per_minute: { type: ['number', 'null'], minimum: -1_000, maximum: 1_000 },
      /** 100 healthy, 50 degraded, 0 critical or missing, weighted by time. */
      health_score: percent,
      /** How much of the day that is the score of; all of it unless it says so. */
      health_hours: { type: 'number', minimum: 0, maximum: 24 },
      /** New in the day. */
      ecc_errors: summedCounter,
      throttle_events: summedCounter,
    },
  },

  /** An XID that the driver reported, at its own time. (gpu_id, at, code) is its identity. */
  xid_event: {
    required: ['at', 'gpu_id', 'code'],
    properties: {
      at: timestamp,
      gpu_id: gpuId,
      code: { type: 'integer', minimum: 1, maximum: 100_000 },
      message: longText,
    },
  },

  /** A process seen on a GPU. (gpu_id, pid, started_at) is its identity; the later record wins. */
  gpu_process: {
    required: ['at', 'gpu_id', 'pid', 'started_at'],
    properties: {
      at: timestamp,
      gpu_id: gpuId,
      pid,
      started_at: timestamp,
      name,
      description: longText,
      usage_category: name,
      gpu_utilization_pct: percent,
      memory_used_mib: reading,
    },
  },
} as const satisfies Record<string, KindSchema>;
