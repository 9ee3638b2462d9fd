import type { Access } from '@gpu-observatory/domain-types';
import { bodyOf, errorMessageOf } from '../../support/responses.ts';
import { useFleetService } from '../../support/fleet-service.ts';
import { alertRecord, uuid } from '../../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: [10] }];
/** A past day within the retention. */
const DAY = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
const RESOURCES = {
  process_details: {
    title: 'Process',
    process_name: 'python3',
    pid: 4_194_304,
    start_time: `${DAY}T08:00:00.000Z`,
    current_status: 'running',
    last_modified: '',
    parent_process_pid: 1,
    command_line: 'python3 train.py',
  },
  memory_details: { rss_mib: 512 },
  workload_details: { pod: 'trainer-0' },
  gpu_details: {
    gpu_id: 'GPU-1',
    model: 'NVIDIA H100',
    vendor: 'NVIDIA',
    gpu_utilization: '97.5',
    temperature: '71',
    driver_version: '580.82',
    firmware_version: '96.00',
    serial_number: '165',
    power_draw: '690.1',
    fan_speed: '',
    clock_throttle_events: '2',
    host_id: 'host-1',
    node: 'node-1',
    utilization_data: [{ time: 1_763_625_600, value: 97.5 }],
    temperature_chart: [{ time: 1_763_625_600, value: 71 }],
  },
  node_details: {
    node_id: 'node-1',
    uptime: '12 days',
    cpu_load: '3.5',
    number_of_cpus_attached: '128',
    cpu_utilization_average: '37.5%',
  },
  container_details: { image: 'trainer:1' },
};
const FULL = alertRecord(1, {
  created_at: `${DAY}T08:00:00.123Z`,
  hostname: 'host-1',
  gpu_model: 'NVIDIA H100',
  gpu_serial: '165',
  api_key_id: 77,
  state: 'ignored',
  session_id: 'session-abc',
  host_id: 'host-abc',
  resource_details: RESOURCES,
});
const BARE = alertRecord(2, { workspace_id: null, created_at: `${DAY}T07:00:00.000Z` });
const FOREIGN = alertRecord(3, { customer_id: 2 });
const OTHER_WORKSPACE = alertRecord(4, { workspace_id: 11 });

const fleet = useFleetService();

beforeAll(async () => {
  await fleet.import([
    { kind: 'workspace', customer_id: 1, workspace_id: 10, name: 'Research' },
    FULL,
    BARE,
    FOREIGN,
    OTHER_WORKSPACE,
  ]);
});

const get = (id: string) => fleet.get(`/api/v1/alerts/${id}`, ACCESS);

it('returns all fields of an alert with an agent session', async () => {
  expect(await bodyOf(await get(uuid(1)), 'getAlert')).toEqual({
    alert: {
      id: uuid(1),
      title: 'Alert 1',
      description: 'A process was observed.',
      type: 'gpu_thermal',
      severity: 'high',
      state: 'ignored',
      created_at: `${DAY}T08:00:00.123Z`,
      hostname: 'host-1',
      workspace_id: 10,
      api_key_id: 77,
      workspace_name: 'Research',
      customer_id: 1,
      summary_data: {
        alert_info: { title: 'Alert 1', description: 'A process was observed.' },
        alert_sequence: { steps: [] },
      },
      resource_details: RESOURCES,
      correlated_alerts: { correlated_alerts: [] },
      session_id: 'session-abc',
      host_id: 'host-abc',
    },
  });
});

it('has null for sections without data, an object for the node, and no session without one', async () => {
  const node = {
    node_id: '',
    uptime: '',
    cpu_load: '',
    number_of_cpus_attached: '',
    cpu_utilization_average: '',
  };
  expect(await bodyOf(await get(uuid(2)), 'getAlert')).toEqual({
    alert: {
      id: uuid(2),
      title: 'Alert 2',
      description: 'A process was observed.',
      type: 'gpu_thermal',
      severity: 'high',
      state: 'active',
      created_at: `${DAY}T07:00:00.000Z`,
      hostname: null,
      workspace_id: null,
      api_key_id: null,
      workspace_name: '',
      customer_id: 1,
      summary_data: {
        alert_info: { title: 'Alert 2', description: 'A process was observed.' },
        alert_sequence: { steps: [] },
      },
      resource_details: {
        process_details: null,
        memory_details: null,
        workload_details: null,
        gpu_details: null,
        node_details: node,
        container_details: null,
      },
      correlated_alerts: { correlated_alerts: [] },
    },
  });
});

it('accepts an upper-case UUID and a trailing slash', async () => {
  const lower = await (await get(uuid(1))).text();
  expect(await (await get(uuid(1).toUpperCase())).text()).toBe(lower);
  expect(await (await get(`${uuid(1)}/`)).text()).toBe(lower);
});

it('returns the same 404 for foreign alerts, other workspaces and unknown ids', async () => {
  const responses = await Promise.all([3, 4, 5].map((n) => get(uuid(n))));
  const texts = await Promise.all(responses.map((response) => response.text()));
  expect(responses.map((response) => response.status)).toEqual([404, 404, 404]);
  expect(texts.map((text, n) => text.replaceAll(uuid(n + 3), 'ID'))).toEqual(
    [3, 4, 5].map(() => '{"error":"not_found","message":"There is no alert ID."}'),
  );
});

it.each(['1', 'summary', uuid(1).slice(1), `{${uuid(1)}}`, `${uuid(1)}0`, uuid(1).replaceAll('-', ''), 'é'])(
  'rejects the id %p',
  async (id) => {
    expect(await errorMessageOf(await get(encodeURIComponent(id)), 'getAlert', 400, 'invalid_query')).toBe(
      `The alert id must be a UUID, got "${id}".`,
    );
  },
);

it('rejects parameters', async () => {
  expect(await errorMessageOf(await get(`${uuid(1)}?from=1`), 'getAlert', 400, 'invalid_query')).toBe(
    'from is not a parameter of this endpoint; it takes none.',
  );
});
