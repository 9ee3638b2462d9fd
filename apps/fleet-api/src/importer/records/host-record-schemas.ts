import {
  hostname,
  type KindSchema,
  longText,
  memoryTotal,
  name,
  percent,
  pid,
  reading,
  timestamp,
} from './field-schemas.ts';

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

/** Kinds of records about hosts, and about what runs on them. */
export const HOST_RECORD_SCHEMAS = {
  /** What a host is. Of this and the kinds of its like: the later record wins, field by field, as with `gpu`. */
  host: {
    required: ['at', 'hostname'],
    properties: {
      at: timestamp,
      hostname: { ...hostname, minLength: 1 },
      host_id: name,
      cpus: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      memory_total_mib: memoryTotal,
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
} as const satisfies Record<string, KindSchema>;
