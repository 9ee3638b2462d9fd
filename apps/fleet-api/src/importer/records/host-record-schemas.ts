import * as fields from './field-schemas.ts';

/** Readings of a host. */
export const hostReadings = {
  /** One-minute load average. */
  cpu_load_1m: fields.reading,
  cpu_utilization_pct: fields.percent,
  forks_per_second: fields.reading,
  exits_per_second: fields.reading,
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
      at: fields.timestamp,
      hostname: { ...fields.hostname, minLength: 1 },
      host_id: fields.name,
      cpus: { type: 'integer', minimum: 1, maximum: 1_000_000 },
      memory_total_mib: fields.memoryTotal,
      operating_system: fields.name,
      kernel: fields.name,
      /** Time of the boot. */
      started_at: fields.timestamp,
    },
  },

  /** Readings of a host at one time. (hostname, at) is its identity: an equal record is a duplicate, a different one is rejected. */
  host_sample: {
    required: ['at', 'hostname'],
    properties: { at: fields.timestamp, hostname: { ...fields.hostname, minLength: 1 }, ...hostReadings },
  },

  /** Means of a day from another system. A duplicate if the day is stored. */
  host_day: {
    required: ['day', 'hostname', 'samples'],
    properties: {
      day: { type: 'string', format: 'date' },
      hostname: { ...fields.hostname, minLength: 1 },
      samples: { type: 'integer', minimum: 1, maximum: 86_400 },
      ...hostReadings,
    },
  },

  /** A container seen on a host. */
  container: {
    required: ['at', 'container_id', 'hostname'],
    properties: {
      at: fields.timestamp,
      container_id: entityId,
      hostname: { ...fields.hostname, minLength: 1 },
      name: fields.name,
      image: fields.name,
      namespace: fields.name,
      pod: fields.name,
      started_at: fields.timestamp,
      gpu_ids: gpuIds,
      /** Whether the container uses the CUDA Multi-Process Service. */
      mps: { type: 'boolean' },
    },
  },

  /** A virtual machine seen on a host. */
  vm: {
    required: ['at', 'vm_id', 'hostname'],
    properties: {
      at: fields.timestamp,
      vm_id: entityId,
      hostname: { ...fields.hostname, minLength: 1 },
      name: fields.name,
      gpu_ids: gpuIds,
    },
  },

  /** A process seen on a host, with or without a GPU. (hostname, pid, started_at) is its identity. */
  process: {
    required: ['at', 'hostname', 'pid', 'started_at'],
    properties: {
      at: fields.timestamp,
      hostname: { ...fields.hostname, minLength: 1 },
      pid: fields.pid,
      started_at: fields.timestamp,
      name: fields.name,
      command_line: fields.longText,
      container_id: entityId,
    },
  },

  /** A session of an agent on a host. */
  agent_session: {
    required: ['at', 'session_id', 'hostname'],
    properties: {
      at: fields.timestamp,
      session_id: entityId,
      hostname: { ...fields.hostname, minLength: 1 },
      host_id: fields.name,
      agent_version: fields.name,
      started_at: fields.timestamp,
    },
  },
} as const satisfies Record<string, fields.KindSchema>;
