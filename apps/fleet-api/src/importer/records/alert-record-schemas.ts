import { ALERT_STATES, ALERT_TYPES, SEVERITIES } from '@gpu-observatory/domain-types';
import { gpuId, hostname, type KindSchema, longText, name, pid, timestamp } from './field-schemas.ts';

/** Sections with arbitrary fields (docs/fleet-api.md#alert-detail). */
const openSection = { type: ['object', 'null'] } as const;
/** Sections with these fields only. All are optional: missing ones are filled. */
const section = <const Properties extends object>(properties: Properties) =>
  ({ type: ['object', 'null'], additionalProperties: false, properties }) as const;

const chart = {
  type: 'array',
  items: {
    type: 'object',
    required: ['time', 'value'],
    additionalProperties: false,
    properties: {
      time: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      value: { type: 'number' },
    },
  },
} as const;

const resourceDetails = {
  process_details: section({
    title: longText,
    process_name: longText,
    pid,
    start_time: timestamp,
    current_status: longText,
    last_modified: longText,
    parent_process_pid: pid,
    command_line: longText,
  }),
  memory_details: openSection,
  workload_details: openSection,
  /** Readings are strings. */
  gpu_details: section({
    gpu_id: gpuId,
    model: longText,
    vendor: longText,
    gpu_utilization: longText,
    temperature: longText,
    driver_version: longText,
    firmware_version: longText,
    serial_number: longText,
    power_draw: longText,
    fan_speed: longText,
    clock_throttle_events: longText,
    host_id: longText,
    node: longText,
    utilization_data: chart,
    temperature_chart: chart,
  }),
  /** Not null: the API always returns this section (docs/fleet-api.md#alert-detail). */
  node_details: {
    ...section({
      node_id: longText,
      uptime: longText,
      cpu_load: longText,
      number_of_cpus_attached: longText,
      cpu_utilization_average: longText,
    }),
    type: 'object',
  },
  container_details: openSection,
} as const;

/** Kinds of records about alerts. */
export const ALERT_RECORD_SCHEMAS = {
  /** A security alert. Its id is its identity: an equal alert is a duplicate, a different one is rejected. */
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
      /** Agent session that raised the alert, and its host: both or neither are present. */
      session_id: { ...name, minLength: 1 },
      host_id: { ...name, minLength: 1 },
      resource_details: {
        type: 'object',
        additionalProperties: false,
        properties: resourceDetails,
      },
    },
    dependencies: { session_id: ['host_id'], host_id: ['session_id'] },
  },

  /**
   * A change of an alert's state. The latest change wins, independent of the import order; an earlier one is a
   * duplicate. Without `at` it is a change now, and importing it again is another change.
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
