import { EntitySchema } from 'typeorm';

export interface Alert {
  customer_id: number;
  id: string;
  created_at: Date;
  workspace_id: number | null;
  api_key_id: number | null;
  severity: number;
  state: number;
  type: string;
  hostname: string | null;
  title: string;
  description: string;
}

export const AlertEntity = new EntitySchema<Alert>({
  name: 'alert',
  schema: 'fleet',
  tableName: 'alerts',
  columns: {
    customer_id: { type: 'integer', primary: true },
    id: { type: 'uuid', primary: true },
    created_at: { type: 'timestamptz', primary: true },
    workspace_id: { type: 'integer', nullable: true },
    api_key_id: { type: 'integer', nullable: true },
    severity: { type: 'smallint' },
    state: { type: 'smallint' },
    type: { type: 'text' },
    hostname: { type: 'text', nullable: true },
    title: { type: 'text' },
    description: { type: 'text' },
  },
});

export interface AlertDetail {
  customer_id: number;
  alert_id: string;
  created_at: Date;
  resource_details: string;
}

export const AlertDetailEntity = new EntitySchema<AlertDetail>({
  name: 'alert_detail',
  schema: 'fleet',
  tableName: 'alert_details',
  columns: {
    customer_id: { type: 'integer', primary: true },
    alert_id: { type: 'uuid', primary: true },
    created_at: { type: 'timestamptz', primary: true },
    resource_details: { type: 'text' },
  },
});

export interface TimelineEvent {
  customer_id: number;
  alert_id: string;
  ts: Date;
  digest: string;
  doc: string;
}

export const TimelineEventEntity = new EntitySchema<TimelineEvent>({
  name: 'timeline_event',
  schema: 'fleet',
  tableName: 'alert_timeline_events',
  columns: {
    customer_id: { type: 'integer', primary: true },
    alert_id: { type: 'uuid', primary: true },
    ts: { type: 'timestamptz', primary: true },
    digest: { type: 'uuid', primary: true },
    doc: { type: 'text' },
  },
});

export interface Gpu {
  customer_id: number;
  gpu_id: string;
  workspace_id: number;
  vendor: string;
  model: string;
  compute_stack: string;
  driver_version: string;
  hostname: string;
  pcie_address: string;
  serial_no: string;
  last_seen: Date;
}

export const GpuEntity = new EntitySchema<Gpu>({
  name: 'gpu',
  schema: 'fleet',
  tableName: 'gpus',
  columns: {
    customer_id: { type: 'integer', primary: true },
    gpu_id: { type: 'text', primary: true },
    workspace_id: { type: 'integer' },
    vendor: { type: 'text' },
    model: { type: 'text' },
    compute_stack: { type: 'text' },
    driver_version: { type: 'text' },
    hostname: { type: 'text' },
    pcie_address: { type: 'text' },
    serial_no: { type: 'text' },
    last_seen: { type: 'timestamptz' },
  },
});

export interface GpuDay {
  customer_id: number;
  gpu_id: string;
  day: Date;
  utilization_sum: number[];
  utilization_n: number[];
  temperature_sum: number[];
  temperature_n: number[];
  xid_reports: number[];
}

export const GpuDayEntity = new EntitySchema<GpuDay>({
  name: 'gpu_day',
  schema: 'fleet',
  tableName: 'gpu_days',
  columns: {
    customer_id: { type: 'integer', primary: true },
    gpu_id: { type: 'text', primary: true },
    day: { type: 'timestamptz', primary: true },
    utilization_sum: { type: 'double precision', array: true },
    utilization_n: { type: 'smallint', array: true },
    temperature_sum: { type: 'double precision', array: true },
    temperature_n: { type: 'smallint', array: true },
    xid_reports: { type: 'smallint', array: true },
  },
});
