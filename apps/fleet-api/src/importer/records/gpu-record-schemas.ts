import * as fields from './field-schemas.ts';
import { GPU_READINGS, type ReadingName } from './gpu-readings.ts';

/** Inventory of a GPU. */
export const inventory = {
  vendor: fields.name,
  model: fields.name,
  compute_stack: fields.name,
  driver_version: fields.name,
  firmware_version: fields.name,
  hostname: fields.hostname,
  pcie_address: fields.name,
  serial_no: fields.name,
  mig_enabled: { type: 'boolean' },
  /** Temperatures at which the board slows down and shuts down, for the health rules. */
  slowdown_temperature_c: fields.celsius,
  shutdown_temperature_c: fields.celsius,
  /** Maximum operating temperature of the memory, for the health rules. */
  memory_temperature_limit_c: fields.celsius,
  /** Report interval; the GPU is missing after max(5 intervals, 5 min) without a report. */
  report_interval_seconds: { type: 'integer', minimum: 1, maximum: 86_400 },
} as const;

const readings = Object.fromEntries(
  Object.entries(GPU_READINGS).map(([name, { schema }]) => [name, schema]),
) as { [Name in ReadingName]: (typeof GPU_READINGS)[Name]['schema'] };

/** Kubernetes namespace and pod, job of a batch system or training operator, and user or team of a process or workload. */
const workloadFields = { namespace: fields.name, pod: fields.name, job: fields.name, owner: fields.name };

/** Whether a new incident of the XID raises an alert; later XIDs of the incident are on its timeline. */
const raiseAlert = { type: 'boolean' } as const;

/** 48 numbers, one per half hour of a UTC day; null when not measured. */
const halfHours = <const Item extends object>(items: Item) =>
  ({ type: 'array', minItems: 48, maxItems: 48, items }) as const;

/** Kinds of records about GPUs. */
export const GPU_RECORD_SCHEMAS = {
  /** Inventory of a GPU. The later record wins, field by field; an earlier one fills empty fields. */
  gpu: {
    required: ['at', 'gpu_id', 'hostname'],
    properties: { at: fields.timestamp, gpu_id: fields.gpuId, ...inventory },
  },

  /** Readings of a GPU at one time. (gpu_id, at) is its identity: an equal record is a duplicate, a different one is rejected. */
  gpu_sample: {
    required: ['at', 'gpu_id'],
    properties: { at: fields.timestamp, gpu_id: fields.gpuId, ...readings, raise_alert: raiseAlert },
  },

  /** Half-hour means of a day, weighted by sample counts, from another system. A duplicate if the day is stored. */
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
      gpu_id: fields.gpuId,
      samples: halfHours({ type: 'integer', minimum: 0, maximum: 1_800 }),
      utilization_pct: halfHours(fields.percent),
      memory_used_mib: halfHours(fields.reading),
      temperature_c: halfHours(fields.celsius),
      power_draw_w: halfHours(fields.reading),
      /** Means over the day. */
      memory_total_mib: fields.memoryTotal,
      fan_pct: fields.fanPercent,
      sm_clock_mhz: fields.reading,
      memory_clock_mhz: fields.reading,
      memory_temperature_c: fields.celsius,
      tensor_active_pct: fields.percent,
      dram_active_pct: fields.percent,
      pcie_tx_mb_per_second: fields.megabytesPerSecond,
      pcie_rx_mb_per_second: fields.megabytesPerSecond,
      /** Whether the source reports XIDs: then a day without events had no XIDs. */
      xid_reported: { type: 'boolean' },
      thermal_slope_c_per_minute: { type: ['number', 'null'], minimum: -1_000, maximum: 1_000 },
      /** 100 healthy, 50 degraded, 0 critical or missing, weighted by time. */
      health_score: fields.percent,
      /** Hours of the day that the score covers; default 24. */
      health_hours: { type: 'number', minimum: 0, maximum: 24 },
      /** Errors, throttle events and energy of this day only. */
      ecc_errors: fields.summedCounter,
      throttle_events: fields.summedCounter,
      energy_millijoules: fields.energy,
    },
  },

  /** An XID with the time of the driver. (gpu_id, at, code, message, occurrence) is its identity. */
  xid_event: {
    required: ['at', 'gpu_id', 'code'],
    properties: {
      at: fields.timestamp,
      gpu_id: fields.gpuId,
      code: { type: 'integer', minimum: 1, maximum: 100_000 },
      message: fields.longText,
      /** Number among the events of equal identity, from 0: a log in whole seconds repeats lines. */
      occurrence: { type: 'integer', minimum: 0, maximum: 1_000_000 },
      /** Order of events with the same time. */
      sequence: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      /** Host and address of the GPU as the driver logged them. */
      hostname: fields.hostname,
      pcie_address: fields.name,
      /** Process that the driver reported. */
      pid: fields.pid,
      process_name: fields.name,
      raise_alert: raiseAlert,
    },
  },

  /** A process seen on a GPU. (gpu_id, pid, started_at) is its identity; the later record wins. */
  gpu_process: {
    required: ['at', 'gpu_id', 'pid', 'started_at'],
    properties: {
      at: fields.timestamp,
      gpu_id: fields.gpuId,
      pid: fields.pid,
      started_at: fields.timestamp,
      name: fields.name,
      description: fields.longText,
      usage_category: fields.name,
      ...workloadFields,
      gpu_utilization_pct: fields.percent,
      memory_used_mib: fields.reading,
    },
  },

  /**
   * A pod or job seen on a GPU, whose processes the source does not report. (gpu_id, name, uid, description) is its
   * identity.
   */
  gpu_workload: {
    required: ['at', 'gpu_id', 'name'],
    properties: {
      at: fields.timestamp,
      gpu_id: fields.gpuId,
      name: fields.name,
      /** Distinguishes workloads of one name, such as the UID of a pod. */
      uid: fields.name,
      description: fields.longText,
      usage_category: fields.name,
      ...workloadFields,
    },
  },
} as const satisfies Record<string, fields.KindSchema>;
