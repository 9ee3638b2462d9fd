import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';

/** The value of each column type. */
interface Values {
  integer: number;
  smallint: number;
  text: string;
  uuid: string;
  timestamptz: Date;
  'smallint[]': number[];
  'double precision[]': number[];
}
type Columns = Record<string, keyof Values>;
type Row<Of extends Columns> = { -readonly [Name in keyof Of]: Values[Of[Name]] };

function entity<const Key extends Columns, const Rest extends Columns>(
  tableName: string,
  key: Key,
  rest: Rest,
) {
  const column = (type: keyof Values, primary: boolean): EntitySchemaColumnOptions => ({
    type: type.replace('[]', '') as 'text',
    array: type.endsWith('[]'),
    primary,
    nullable: !primary,
  });
  const columns = Object.fromEntries([
    ...Object.entries(key).map(([name, type]) => [name, column(type, true)] as const),
    ...Object.entries(rest).map(([name, type]) => [name, column(type, false)] as const),
  ]);
  return new EntitySchema<Row<Key & Rest>>({
    name: tableName,
    schema: 'fleet',
    tableName,
    columns: columns as { [Name in keyof Row<Key & Rest>]: EntitySchemaColumnOptions },
  });
}

export const AlertEntity = entity(
  'alerts',
  { customer_id: 'integer', id: 'uuid', created_at: 'timestamptz' },
  {
    ...{ workspace_id: 'integer', api_key_id: 'integer', severity: 'smallint', state: 'smallint' },
    ...{ type: 'text', hostname: 'text', title: 'text', description: 'text' },
  },
);
export type Alert = typeof AlertEntity extends EntitySchema<infer Entity> ? Entity : never;

export const AlertDetailEntity = entity(
  'alert_details',
  { customer_id: 'integer', alert_id: 'uuid', created_at: 'timestamptz' },
  { resource_details: 'text' },
);

export const TimelineEventEntity = entity(
  'alert_timeline_events',
  { customer_id: 'integer', alert_id: 'uuid', ts: 'timestamptz', digest: 'uuid' },
  { doc: 'text' },
);

export const GpuEntity = entity(
  'gpus',
  { customer_id: 'integer', gpu_id: 'text' },
  {
    ...{
      workspace_id: 'integer',
      vendor: 'text',
      model: 'text',
      compute_stack: 'text',
      driver_version: 'text',
    },
    ...{ hostname: 'text', pcie_address: 'text', serial_no: 'text', last_seen: 'timestamptz' },
  },
);

export const GpuDayEntity = entity(
  'gpu_days',
  { customer_id: 'integer', gpu_id: 'text', day: 'timestamptz' },
  {
    ...{ utilization_sum: 'double precision[]', utilization_n: 'smallint[]' },
    ...{ temperature_sum: 'double precision[]', temperature_n: 'smallint[]', xid_reports: 'smallint[]' },
  },
);
