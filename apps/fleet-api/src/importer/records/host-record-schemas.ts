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

/** Readings of a host. */
export const hostReadings = {
  /** One-minute load average. */
  cpu_load_1m: reading,
  cpu_utilization_pct: percent,
  forks_per_second: reading,
  exits_per_second: reading,
} as const;

/** Id of a container, VM or agent session. */
const entityId = { type: 'string', minLength: 1, format: 'id-bytes' } as const;
/** GPUs that a container or VM may use. */
const gpuIds = { type: 'array', items: entityId, maxItems: 1_000 } as const;

/**
 * Kinds of records about hosts and the entities on them. Of `host`, `container`, `vm`, `process` and `agent_session`, the later
 * record wins, field by field, as for `gpu`.
 */
export const HOST_RECORD_SCHEMAS = {
  /** Inventory of a host. */
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
      /** Time of the boot. */
      started_at: timestamp,
    },
  },

  /** Readings of a host at one time. (hostname, at) is its identity: an equal record is a duplicate, a different one is rejected. */
  host_sample: {
    required: ['at', 'hostname'],
    properties: { at: timestamp, hostname: { ...hostname, minLength: 1 }, ...hostReadings },
  },

  /** Means of a day from another system. A duplicate if the day is stored. */
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
      container_id: entityId,
      hostname: { ...hostname, minLength: 1 },
      name,
      image: name,
      namespace: name,
      pod: name,
      started_at: timestamp,
      gpu_ids: gpuIds,
      /** Whether the container uses the CUDA Multi-Process Service. */
      mps: { type: 'boolean' },
    },
  },

  /** A virtual machine seen on a host. */
  vm: {
    required: ['at', 'vm_id', 'hostname'],
    properties: {
      at: timestamp,
      vm_id: entityId,
      hostname: { ...hostname, minLength: 1 },
      name,
      gpu_ids: gpuIds,
    },
  },

  /** A process seen on a host, with or without a GPU. (hostname, pid, started_at) is its identity. */
  process: {
    required: ['at', 'hostname', 'pid', 'started_at'],
    properties: {
      at: timestamp,
      hostname: { ...hostname, minLength: 1 },
      pid,
      started_at: timestamp,
      name,
      command_line: longText,
      container_id: entityId,
    },
  },

  /** A session of an agent on a host. */
  agent_session: {
    required: ['at', 'session_id', 'hostname'],
    properties: {
      at: timestamp,
      session_id: entityId,
      hostname: { ...hostname, minLength: 1 },
      host_id: name,
      agent_version: name,
      started_at: timestamp,
    },
  },
} as const satisfies Record<string, KindSchema>;
