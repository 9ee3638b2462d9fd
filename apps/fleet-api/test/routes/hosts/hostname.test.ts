import type { Access } from '@gpu-observatory/domain-types';
import { RULE_ACTIONS } from '../../../src/model/health/rule-actions.ts';
import { useFleetService } from '../../support/fleet-service.ts';
import { bodyOf, errorMessageOf } from '../../support/responses.ts';
import { ALL, BOTH, minutesAgo, OF_11, OTHER, statusRecords } from '../../support/status-fleet.ts';

interface Host {
  hostname: string;
  gpus: { gpu_id: string; reasons: { rule: string }[] }[];
  jobs: { name: string; is_running: boolean }[];
  cpu: object | null;
}

const fleet = useFleetService();
beforeAll(() => fleet.import(statusRecords()));

const hostOf = async (path: string, access = ALL) =>
  (await bodyOf<{ host: Host }>(await fleet.get(`/api/v1/hosts/${path}`, access), 'getHost')).host;

test('a host has its GPUs with all reasons, its jobs, alerts, CPU and uptime', async () => {
  const reason = {
    rule: 'temperature_near_shutdown',
    health: 'critical',
    evidence: '94 °C; the board shuts down at 95 °C',
    evidence_at: minutesAgo(1),
    since: minutesAgo(30),
    until: minutesAgo(-49),
    action: RULE_ACTIONS.temperature_near_shutdown,
  };
  expect(await hostOf('node-1')).toEqual({
    hostname: 'node-1',
    customer_id: 1,
    workspace_ids: [10],
    health: 'critical',
    since: minutesAgo(30),
    reason: { ...reason, gpu_id: 'GPU-a' },
    gpu_count: 2,
    gpus_by_health: { critical: 1, missing: 0, degraded: 0, healthy: 1 },
    models: ['A100', 'H100'],
    latest: { utilization_pct: 30.5, max_temperature_c: 94, power_draw_w: 700.5 },
    mean: { utilization_pct: 25.5 },
    idle_gpu_count: 1,
    alerts: { critical: 1, high: 2, medium: 0, low: 0, info: 0 },
    last_seen: minutesAgo(1),
    gpus: [
      {
        gpu_id: 'GPU-b',
        hostname: 'node-1',
        workspace_id: 10,
        vendor: '',
        model: 'A100',
        pcie_address: '00000000:3B:00.0',
        serial_no: '',
        health: 'healthy',
        since: null,
        reason: null,
        latest: {
          utilization_pct: 1,
          memory_used_gb: null,
          memory_total_gb: null,
          temperature_c: 50,
          power_draw_w: 100.5,
          power_limit_w: null,
        },
        mean: { utilization_pct: 1, temperature_c: 50 },
        idle: true,
        xid_errors: null,
        last_seen: minutesAgo(1),
        reasons: [],
      },
      expect.objectContaining({
        gpu_id: 'GPU-a',
        reason,
        reasons: [
          reason,
          expect.objectContaining({
            rule: 'temperature_slowdown',
            evidence: '94 °C; the board slows down at 87 °C',
            action: RULE_ACTIONS.temperature_slowdown,
          }),
        ],
      }),
    ],
    jobs: [
      {
        gpu_id: 'GPU-a',
        kind: 'process',
        pid: 7,
        name: 'vllm serve',
        description: '',
        usage_category: 'inference',
        namespace: 'serving',
        pod: 'llama-0',
        job: '',
        owner: 'search',
        first_seen: minutesAgo(1),
        last_seen: minutesAgo(1),
        is_running: true,
      },
      expect.objectContaining({ name: 'ended', owner: '', last_seen: minutesAgo(90), is_running: false }),
    ],
    cpu: { load_1m: 11.5, utilization_pct: 12, at: minutesAgo(2) },
    uptime: { seconds: 3_600, at: minutesAgo(5) },
    cpu_count: 96,
    memory_total_gb: 1_024,
    operating_system: 'Ubuntu 24.04',
    kernel: '6.8.0',
  });
});

test('the job of a GPU that fell off the bus stays, whatever the window is', async () => {
  const past = `from=${minutesAgo(4 * 24 * 60)}&to=${minutesAgo(3 * 24 * 60)}`;
  for (const query of ['', `?${past}`])
    expect((await hostOf(`node-2${query}`, OF_11)).jobs).toEqual([
      {
        gpu_id: 'GPU-c',
        kind: 'workload',
        pid: null,
        name: 'train-0',
        description: 'Kubernetes pod, namespace ml',
        usage_category: '',
        namespace: 'ml',
        pod: 'train-0',
        job: 'train',
        owner: 'research',
        first_seen: minutesAgo(60),
        last_seen: minutesAgo(60),
        is_running: false,
      },
    ]);
  expect((await hostOf(`node-1?${past}`)).jobs.map(({ name }) => name)).toEqual(['vllm serve']);
});

test('a host without records of its own has no CPU and no inventory', async () => {
  expect(await hostOf('node-3')).toMatchObject({
    cpu: null,
    uptime: null,
    cpu_count: null,
    memory_total_gb: null,
    operating_system: '',
    kernel: '',
  });
});

test('readings of a host are those of its workspace', async () => {
  await fleet.import([
    { kind: 'host', customer_id: 1, workspace_id: 10, at: minutesAgo(3), hostname: 'node-2', cpus: 8 },
    {
      kind: 'host_sample',
      customer_id: 1,
      workspace_id: 10,
      at: minutesAgo(2),
      hostname: 'node-2',
      cpu_load_1m: 3,
    },
  ]);
  expect(await hostOf('node-2')).toMatchObject({ cpu: { load_1m: 3, utilization_pct: null }, cpu_count: 8 });
  expect(await hostOf('node-2', OF_11)).toMatchObject({ cpu: null, cpu_count: null });
});

test.each<[string, Access]>([
  ['node-5', ALL],
  ['node-1', OF_11],
  ['node-1', OTHER],
  ['node-1', []],
  ['node-9', ALL],
  ['node-1?customer_id=2', BOTH],
  ['%20', ALL],
])('there is no host %s for %j', async (path, access) => {
  const message = await errorMessageOf(
    await fleet.get(`/api/v1/hosts/${path}`, access),
    'getHost',
    404,
    'not_found',
  );
  expect(message).toMatch(/^There is no host .* with a GPU; GET \/hosts lists all hosts\.$/);
});

test('customer_id selects one of two hosts with the same name', async () => {
  expect(await hostOf('node-9?customer_id=2', BOTH)).toMatchObject({ customer_id: 2 });
});

test.each([
  ['from=today', /from must be given once/],
  ['to=today', /to must be given once/],
  [`from=${minutesAgo(1)}&to=${minutesAgo(2)}`, /must not be later than to/],
  ['customer_id=0', /customer_id must be given once/],
  ['workspace_id=10', /workspace_id is not a parameter of this endpoint; it takes from, to, customer_id/],
])('rejects %s', async (query, message) => {
  const response = await fleet.get(`/api/v1/hosts/node-1?${query}`, ALL);
  expect(await errorMessageOf(response, 'getHost', 400, 'invalid_query')).toMatch(message);
});

test('a request without a token is rejected', async () => {
  await errorMessageOf(await fleet.get('/api/v1/hosts/node-1', null), 'getHost', 401, 'unauthorized');
});
