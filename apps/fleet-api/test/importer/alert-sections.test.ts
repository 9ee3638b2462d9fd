import type { Access, AlertDetail } from '@gpu-observatory/domain-types';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { alertRecord, gpuRecord, uuid } from '../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: [10] }];
/** A past day within the retention period. */
const DAY = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
const CREATED = `${DAY}T08:00:00.000Z`;

const NO_NODE = {
  node_id: '',
  uptime: '',
  cpu_load: '',
  number_of_cpus_attached: '',
  cpu_utilization_average: '',
};
const PROCESS_4711 = {
  title: '',
  process_name: '',
  pid: 4_711,
  start_time: CREATED,
  current_status: '',
  last_modified: '',
  parent_process_pid: 0,
  command_line: '',
};
const GPU_AT_71 = {
  gpu_id: 'GPU-1',
  model: 'NVIDIA H100',
  vendor: '',
  gpu_utilization: '',
  temperature: '71',
  driver_version: '',
  firmware_version: '',
  serial_number: '165',
  power_draw: '',
  fan_speed: '',
  clock_throttle_events: '',
  host_id: '',
  node: '',
  utilization_data: [],
  temperature_chart: [],
};

const fleet = useFleetService();

const alert = (n: number, resource_details: object, more: object = {}) =>
  alertRecord(n, { created_at: CREATED, resource_details, ...more });
/** Returns the served sections of an alert; `bodyOf` validates the response. */
const sectionsOf = async (n: number) =>
  (await bodyOf<{ alert: AlertDetail }>(await fleet.get(`/api/v1/alerts/${uuid(n)}`, ACCESS), 'getAlert'))
    .alert.resource_details;
const reasonsOf = async (n: number, resource_details: object) =>
  (await fleet.import([alert(n, resource_details)])).rejects.map(({ reason }) => reason);

test('fills missing fields of sections with empty values or with fields of the alert', async () => {
  const gpu = { gpu_id: 'GPU-1', gpu_model: 'NVIDIA H100', gpu_serial: '165' };
  const given = { process_details: { pid: 4_711 }, gpu_details: { temperature: '71' }, node_details: {} };
  const whole = { process_details: {}, gpu_details: {} };
  expect(await fleet.import([alert(1, given, gpu), alert(2, whole)])).toMatchObject({ written: 2 });
  expect(await sectionsOf(1)).toEqual({
    process_details: PROCESS_4711,
    memory_details: null,
    workload_details: null,
    gpu_details: GPU_AT_71,
    node_details: NO_NODE,
    container_details: null,
  });
  expect(await sectionsOf(2)).toEqual({
    process_details: { ...PROCESS_4711, pid: 0 },
    memory_details: null,
    workload_details: null,
    gpu_details: { ...GPU_AT_71, gpu_id: '', model: '', serial_number: '', temperature: '' },
    node_details: NO_NODE,
    container_details: null,
  });
  expect(await fleet.import([alert(1, given, gpu), alert(2, whole)])).toMatchObject({ duplicate: 2 });
});

test('takes the GPU of the alert from its section', async () => {
  await fleet.import([alert(3, { gpu_details: { gpu_id: 'GPU-3', model: 'NVIDIA L4' } })]);
  expect((await sectionsOf(3)).gpu_details).toMatchObject({ gpu_id: 'GPU-3', model: 'NVIDIA L4' });
  expect(
    await rowsOf(fleet.database.administratorUrl, `SELECT gpu_id FROM fleet.alerts WHERE id = '${uuid(3)}'`),
  ).toEqual([{ gpu_id: 'GPU-3' }]);
});

test.each([
  ['gpu_id', { gpu_id: 'GPU-8' }, { gpu_id: 'GPU-8' }],
  ['gpu_model', { gpu_model: 'NVIDIA L4' }, { model: 'NVIDIA L4' }],
  ['gpu_serial', { gpu_serial: '165' }, { serial_number: '165' }],
])('builds the GPU section from %s alone, and the node from the hostname', async (column, given, shown) => {
  const n = 20 + column.length;
  await fleet.import([alert(n, {}, { ...given, hostname: 'node-1' })]);
  const { gpu_details, node_details } = await sectionsOf(n);
  expect(gpu_details).toEqual({
    ...GPU_AT_71,
    gpu_id: '',
    model: '',
    serial_number: '',
    temperature: '',
    ...shown,
  });
  expect(node_details).toEqual({ ...NO_NODE, node_id: 'node-1' });
});

test('keeps the node of the source', async () => {
  await fleet.import([alert(9, { node_details: { node_id: 'i-0abc' } }, { hostname: 'node-1' })]);
  expect((await sectionsOf(9)).node_details.node_id).toBe('i-0abc');
});

test('adds the inventory of the GPU as of the request, if the caller can read it', async () => {
  const inventory = {
    vendor: 'NVIDIA',
    model: 'NVIDIA H100',
    driver_version: '580.82',
    firmware_version: '96.00',
    serial_no: '165',
    hostname: 'node-2',
  };
  await fleet.import([
    alert(10, { gpu_details: { temperature: '71', driver_version: '570.00' } }, { gpu_id: 'GPU-10' }),
    alert(11, {}, { gpu_id: 'GPU-11' }),
    // Of another workspace, and of another customer.
    gpuRecord('GPU-11', { ...inventory, workspace_id: 11 }),
    gpuRecord('GPU-11', { ...inventory, customer_id: 2 }),
  ]);
  expect((await sectionsOf(10)).gpu_details?.model).toBe('');
  await fleet.import([gpuRecord('GPU-10', inventory)]);
  expect((await sectionsOf(10)).gpu_details).toEqual({
    ...GPU_AT_71,
    gpu_id: 'GPU-10',
    vendor: 'NVIDIA',
    driver_version: '570.00',
    firmware_version: '96.00',
    host_id: 'node-2',
    node: 'node-2',
  });
  expect((await sectionsOf(11)).gpu_details).toEqual({
    ...GPU_AT_71,
    gpu_id: 'GPU-11',
    model: '',
    serial_number: '',
    temperature: '',
  });
});

test('normalizes the start time of a process', async () => {
  await fleet.import([alert(4, { process_details: { start_time: `${DAY}T09:30:00.1234+02:00` } })]);
  expect((await sectionsOf(4)).process_details?.start_time).toBe(`${DAY}T07:30:00.123Z`);
});

test('returns sections without fixed fields unchanged', async () => {
  const open = {
    memory_details: { rss: 1, deep: [null, { a: 'b' }] },
    workload_details: {},
    container_details: { privileged: true },
  };
  await fleet.import([alert(5, open)]);
  expect(await sectionsOf(5)).toMatchObject(open);
});

test.each<[object, RegExp]>([
  [{ process_details: { foo: 1 } }, /^resource_details.process_details.foo is not a field/],
  [{ process_details: { pid: 'x' } }, /^resource_details.process_details.pid must be integer/],
  [{ process_details: { pid: 1.5 } }, /^resource_details.process_details.pid must be integer/],
  [{ process_details: { parent_process_pid: -1 } }, /parent_process_pid must be >= 0/],
  [{ process_details: { start_time: '' } }, /start_time must be an RFC 3339 time with a zone/],
  [{ process_details: { last_modified: null } }, /last_modified must be string/],
  [{ process_details: [] }, /^resource_details.process_details must be object,null/],
  [{ gpu_details: { gpu_utilization: 50 } }, /^resource_details.gpu_details.gpu_utilization must be string/],
  [{ gpu_details: { temperature: null } }, /^resource_details.gpu_details.temperature must be string/],
  [{ gpu_details: { utilization: '50' } }, /^resource_details.gpu_details.utilization is not a field/],
  [{ gpu_details: { utilization_data: '[]' } }, /utilization_data must be array/],
  [
    { gpu_details: { temperature_chart: [{ time: 1.5, value: 1 }] } },
    /temperature_chart.0.time must be integer/,
  ],
  [{ gpu_details: { temperature_chart: [{ time: 1 }] } }, /chart.0 must have required property 'value'/],
  [{ gpu_details: { temperature_chart: [{ time: 1, value: '1' }] } }, /chart.0.value must be number/],
  [{ gpu_details: { temperature_chart: [{ time: 1, value: 1, unit: 'C' }] } }, /0.unit is not a field/],
  [{ node_details: { uptime: 7 } }, /^resource_details.node_details.uptime must be string/],
  [{ node_details: { hostname: 'node-1' } }, /^resource_details.node_details.hostname is not a field/],
])('rejects %j with its reason', async (resource_details, reason) => {
  expect(await reasonsOf(6, resource_details)).toEqual([expect.stringMatching(reason)]);
});

test('counts an equal alert as duplicate and rejects one with other sections', async () => {
  const given = { process_details: { pid: 4_711 }, gpu_details: { temperature: '71' } };
  await fleet.import([alert(7, given)]);
  expect(await fleet.import([alert(7, given)])).toMatchObject({ duplicate: 1, rejects: [] });
  expect(await reasonsOf(7, { process_details: { pid: 4_712 } })).toEqual([
    expect.stringMatching(/is already stored with a different resource_details/),
  ]);
});
