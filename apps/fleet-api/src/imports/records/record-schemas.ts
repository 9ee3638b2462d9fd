import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import { HOSTNAME_LENGTH, NAME_LENGTH, TEXT_LENGTH } from './limits.ts';

/**
 * The general door into the fleet schema: one JSON object a line, of one of these kinds (JSON Schema, draft 7 subset
 * that Ajv compiles). Readings that a source does not have are null or left out; nothing is ever guessed as zero.
 * Every record may say whom it belongs to; what it leaves out comes from the command's `--customer`, `--workspace`
 * and `--api-key`.
 */
const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
const timestamp = { type: 'string', format: 'date-time' };
const name = { type: 'string', maxLength: NAME_LENGTH };
const hostname = { type: 'string', maxLength: HOSTNAME_LENGTH };
const longText = { type: 'string', maxLength: TEXT_LENGTH };
const percent = { type: ['number', 'null'], minimum: 0, maximum: 100 };
/** NVML: a fan may run above what is called its full speed. */
const fanPercent = { ...percent, maximum: 200 };
const reading = { type: ['number', 'null'], minimum: 0, maximum: 1e9 };
const counter = { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
/** `GPU-…`, or `host|pci|guest` for a GPU without a UUID (contract 2.5); nobody could ask for another (4.3). */
const gpuId = { type: 'string', pattern: '^(GPU-[^|]|[^|]+\\|[^|]+\\|[^|]*$)', format: 'gpu-id' };
const celsius = { type: ['number', 'null'], minimum: -100, maximum: 300 };

const attribution = {
  customer_id: id,
  workspace_id: { ...id, type: ['integer', 'null'] },
  api_key_id: { ...id, type: ['integer', 'null'] },
};

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
  memory_total_mib: reading,
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
  ecc_single_bit_total: counter,
  ecc_double_bit_total: counter,
  row_remap_failed: { type: ['boolean', 'null'] },
  row_remap_pending: { type: ['boolean', 'null'] },
  nvlink_errors_total: counter,
  pcie_replays_total: counter,
};

/** What a host's processors and its process table read; rates are per second. */
const hostReadings = {
  /** The load average of one minute. */
  cpu_load_1m: reading,
  cpu_utilization_pct: percent,
  forks_per_second: reading,
  exits_per_second: reading,
};

/** What containers, VMs and agent sessions are called. */
const thingId = { type: 'string', minLength: 1, format: 'gpu-id' };
/** GPUs that a container or VM may use. */
const gpuIds = { type: 'array', items: thingId, maxItems: 1_000 };
const pid = { type: 'integer', minimum: 0, maximum: 4_294_967_295 };

/** 48 numbers, one each half hour of a UTC day; null where nothing was measured. */
const halfHours = (item: object) => ({ type: 'array', minItems: 48, maxItems: 48, items: item });

const section = { type: ['object', 'null'] };

interface KindSchema {
  required: string[];
  properties: Record<string, object>;
  /** Fields that are given together or not at all. */
  dependencies?: Record<string, string[]>;
}

export const KIND_SCHEMAS = {
  /** The name that alert details show for a workspace. */
  workspace: { required: ['workspace_id', 'name'], properties: { name } },

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
      memory_total_mib: reading,
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
      ecc_errors: counter,
      throttle_events: counter,
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

  /** What a host is. Of this and the kinds of its like: the later record wins, field by field, as with `gpu`. */
  host: {
    required: ['at', 'hostname'],
    properties: {
      at: timestamp,
      hostname: { ...hostname, minLength: 1 },
      host_id: name,
      cpus: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      memory_total_mib: reading,
      operating_system: name,
      kernel: name,
    },
  },

  /** One reading of one host. (hostname, at) is its identity: the same one again is skipped, a different one is refused. */
  host_sample: {
    required: ['at', 'hostname'],
    properties: { at: timestamp, hostname: { ...hostname, minLength: 1 }, ...hostReadings },
  },

  /** A day that was measured elsewhere, as means of so many samples. Skipped when the day is known. */
  host_day: {
    required: ['day', 'hostname', 'samples'],
    properties: {
      day: { type: 'string', format: 'date' },
      hostname: { ...hostname, minLength: 1 },
      samples: { type: 'integer', minimum: 1, maximum: 86_400 },
      ...hostReadings,
    },
  },

  /** A container seen on a host. */
  container: {
    required: ['at', 'container_id', 'hostname'],
    properties: {
      at: timestamp,
      container_id: thingId,
      hostname: { ...hostname, minLength: 1 },
      name,
      image: name,
      namespace: name,
      pod: name,
      started_at: timestamp,
      gpu_ids: gpuIds,
      /** Whether it shares its GPUs through the Multi-Process Service. */
      mps: { type: 'boolean' },
    },
  },

  /** A virtual machine seen on a host. */
  vm: {
    required: ['at', 'vm_id', 'hostname'],
    properties: {
      at: timestamp,
      vm_id: thingId,
      hostname: { ...hostname, minLength: 1 },
      name,
      gpu_ids: gpuIds,
    },
  },

  /** A process seen on a host, be it on a GPU or not. (hostname, pid, started_at) is its identity. */
  process: {
    required: ['at', 'hostname', 'pid', 'started_at'],
    properties: {
      at: timestamp,
      hostname: { ...hostname, minLength: 1 },
      pid,
      started_at: timestamp,
      name,
      command_line: longText,
      container_id: thingId,
    },
  },

  /** An agent at work on a host. */
  agent_session: {
    required: ['at', 'session_id', 'hostname'],
    properties: {
      at: timestamp,
      session_id: thingId,
      hostname: { ...hostname, minLength: 1 },
      host_id: name,
      agent_version: name,
      started_at: timestamp,
    },
  },

  /** A security alert. Its id is its identity: the same alert again is skipped, a different one is refused. */
  alert: {
    required: ['id', 'title', 'description', 'type', 'severity', 'created_at'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      title: name,
      description: longText,
      type: { enum: ALERT_TYPES },
      severity: { enum: SEVERITIES },
      state: { enum: ALERT_STATES },
      created_at: timestamp,
      hostname: { ...hostname, type: ['string', 'null'] },
      gpu_id: { ...gpuId, type: ['string', 'null'] },
      gpu_model: { ...name, type: ['string', 'null'] },
      gpu_serial: { ...name, type: ['string', 'null'] },
      /** Both or neither: the agent session that saw it. */
      session_id: { ...name, minLength: 1 },
      host_id: { ...name, minLength: 1 },
      resource_details: {
        type: 'object',
        additionalProperties: false,
        properties: {
          process_details: section,
          memory_details: section,
          workload_details: section,
          gpu_details: { ...section, properties: { gpu_id: gpuId } },
          node_details: { type: 'object' },
          container_details: section,
        },
      },
    },
    dependencies: { session_id: ['host_id'], host_id: ['session_id'] },
  },

  /**
   * An alert's state changed at a time. The later change wins, in whatever order they come; one that is not later than
   * what is known is skipped. Without `at` it is a change of now, and importing it again is another one.
   */
  alert_state: {
    required: ['alert_id', 'state'],
    properties: {
      at: timestamp,
      alert_id: { type: 'string', format: 'uuid' },
      state: { enum: ALERT_STATES },
    },
  },

  /** One event on an alert's timeline. The whole event is its identity. */
  timeline_event: {
    required: ['alert_id', 'ts', 'pid', 'tid', 'event_type', 'event_info'],
    properties: {
      alert_id: { type: 'string', format: 'uuid' },
      ts: timestamp,
      pid,
      tid: pid,
      event_type: name,
      event_info: longText,
      comm: name,
      command_line: longText,
      args: { type: 'array', items: longText, maxItems: 1_000 },
      pwd: longText,
    },
  },
} as const satisfies Record<string, KindSchema>;

export type RecordKind = keyof typeof KIND_SCHEMAS;
export const RECORD_KINDS = Object.keys(KIND_SCHEMAS) as RecordKind[];

/** The whole JSON Schema of one kind: a field nobody knows is an error, not a field that is silently lost. */
export function schemaOf(kind: RecordKind): object {
  const { required, properties, dependencies } = KIND_SCHEMAS[kind] as KindSchema;
  return {
    type: 'object',
    required: ['kind', ...required],
    additionalProperties: false,
    properties: { kind: { const: kind }, ...attribution, ...properties },
    ...(dependencies === undefined ? {} : { dependencies }),
  };
}
