import { readFileSync } from 'node:fs';
import { ALERT_CSV_COLUMNS } from '../../src/api/alerts/alerts.models.ts';
import { GPU_STATUS_CSV_COLUMNS } from '../../src/api/gpu-status/gpu-status.models.ts';
import { gpuCsvColumns } from '../../src/api/gpus/gpus.models.ts';
import { HOST_CSV_COLUMNS } from '../../src/api/hosts/hosts.models.ts';
import { groupCsvColumns, INCIDENT_CSV_COLUMNS } from '../../src/api/xid-incidents/xid-incidents.models.ts';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
}

const { schemas } = (
  JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    components: { schemas: Record<string, Schema> };
  }
).components;

/** Returns the fields of a schema; those of an object as `object.field`. */
function fieldsOf(schema: Schema, path = ''): string[] {
  const { $ref, allOf = [], oneOf = [], properties } = schema;
  if ($ref !== undefined) return fieldsOf(schemas[$ref.split('/').at(-1) as string] as Schema, path);
  const nested = [...allOf, ...oneOf].filter((one) => one.$ref !== undefined);
  if (nested.length > 0) return nested.flatMap((one) => fieldsOf(one, path));
  if (properties === undefined) return [path];
  return Object.entries(properties).flatMap(([name, field]) =>
    fieldsOf(field, path === '' ? name : `${path}.${name}`),
  );
}

test.each<[string, string[]]>([
  ['AlertModel', ALERT_CSV_COLUMNS],
  ['GpuModel', gpuCsvColumns({ hasSeries: true })],
  ['GpuStatusModel', GPU_STATUS_CSV_COLUMNS],
  ['HostModel', HOST_CSV_COLUMNS],
  ['XidIncidentModel', INCIDENT_CSV_COLUMNS],
  [
    'XidIncidentGroupModel',
    [...new Set((['code', 'host', 'day'] as const).flatMap((by) => groupCsvColumns(by)))],
  ],
])('the CSV of %s has a column for each field of the JSON', (model, columns) => {
  expect([...columns].sort()).toEqual(fieldsOf(schemas[model] as Schema).sort());
});

test('a list without series has no column for them', () => {
  expect(gpuCsvColumns({ hasSeries: false })).toEqual(
    gpuCsvColumns({ hasSeries: true }).filter((column) => column !== 'utilization_series'),
  );
});
