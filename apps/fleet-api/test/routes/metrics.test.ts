import type { Access } from '@gpu-observatory/domain-types';
import { ALERT_TYPES, DAY_MS } from '@gpu-observatory/domain-types';
import { ALERT_TYPE_TITLES } from '../../src/api/metrics/alert-type-titles.ts';
import type { FleetMetricsModel } from '../../src/api/metrics/metrics.models.ts';
import { bodyOf, errorMessageOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, gpuRecord, sampleRecord, xidRecord } from '../support/records.ts';

/** Midnight three days ago, so that all times of these tests are in the past. */
const MIDNIGHT = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
const at = (hours: number, minutes = 0) =>
  new Date(MIDNIGHT + hours * 3_600_000 + minutes * 60_000).toISOString();
const label = (day: number) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    MIDNIGHT + day * DAY_MS,
  );

const ALL: Access = [{ customer_id: 1, workspace_ids: 'all' }];

const fleet = useFleetService();
async function metricsOf(
  customer: number,
  { query = {}, access = [{ customer_id: customer, workspace_ids: 'all' }] }: Asked = {},
): Promise<FleetMetricsModel> {
  const parameters = new URLSearchParams({ from: at(0), to: at(48), ...query });
  const response = await fleet.get(`/api/v1/metrics?${parameters.toString()}`, access);
  return (await bodyOf<{ metrics: FleetMetricsModel }>(response, 'getMetrics')).metrics;
}
interface Asked {
  query?: Record<string, string>;
  access?: Access;
}

const SUMMARY_OF_NOTHING = {
  gpu_count: 0,
  avg_gpu_utilization: null,
  avg_gpu_temperature: null,
  avg_gpu_power: null,
  avg_gpu_memory: null,
  avg_gpu_fan_speed: null,
  avg_clock_speed: null,
  avg_memory_clock: null,
  avg_memory_temperature_c: null,
  avg_tensor_active_pct: null,
  avg_dram_active_pct: null,
  avg_pcie_tx_mb_per_second: null,
  avg_pcie_rx_mb_per_second: null,
  total_energy_kwh: null,
  avg_health_score: null,
  avg_thermal_slope: null,
  total_ecc_errors: 0,
  total_xid_errors: 0,
  active_crash_chains: 0,
  total_throttle_events: 0,
  avg_cpu_load: null,
  avg_cpu_utilization: null,
  process_count: 0,
  avg_fork_rate: null,
  avg_exit_rate: null,
  container_count: 0,
  gpu_container_count: 0,
  mps_container_count: 0,
  container_process_count: 0,
  vm_count: 0,
};
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
const ASSETS = ['GPUs', 'Hosts', 'Containers', 'VMs', 'Workspaces'];
const days = (...values: number[]) => values.map((value, day) => ({ date: label(day), value }));

test('an empty fleet has all keys with zero or null, and no charts', async () => {
  expect(await metricsOf(99)).toEqual({
    alerts_by_severity: SEVERITIES.map((severity) => ({ label: severity, value: 0, data: days(0, 0) })),
    top_alert_types: [],
    asset_coverage: ASSETS.map((asset) => ({ label: asset, count: 0, data: days(0, 0) })),
    metrics_summary: SUMMARY_OF_NOTHING,
    metrics_charts: {},
  });
});

test('a mean of zero has a chart', async () => {
  const mine = { customer_id: 96, workspace_id: 10 };
  await fleet.import([
    gpuRecord('GPU-1', { ...mine, at: at(0) }),
    { ...sampleRecord('GPU-1', at(0), { utilization_pct: 0, temperature_c: 30 }), ...mine },
  ]);
  const { metrics_summary: summary, metrics_charts: charts } = await metricsOf(96, { query: { to: at(24) } });
  expect(summary).toMatchObject({ avg_gpu_utilization: 0, total_xid_errors: 0 });
  expect(charts['avg_gpu_utilization']).toEqual([{ date: label(0), value: 0 }]);
  expect(charts['total_xid_errors']).toBeUndefined();
});

test('computes all metrics of a small fleet exactly', async () => {
  const mine = { customer_id: 2, workspace_id: 10, api_key_id: 7 };
  const readings = { memory_total_mib: 1_000, throttle_reasons: 0, ecc_single_bit_total: 5 };
  const sample = (hours: number, minutes: number, more: object) => ({
    ...sampleRecord('GPU-1', at(hours, minutes), { ...readings, ...more }),
    ...mine,
  });
  const container = (id: string, hours: number, more: object = {}) => ({
    kind: 'container',
    ...mine,
    at: at(hours),
    container_id: id,
    hostname: 'node-1',
    ...more,
  });
  const process = (pid: number, hours: number, more: object = {}) => ({
    kind: 'process',
    ...mine,
    at: at(hours),
    hostname: 'node-1',
    pid,
    started_at: at(0),
    ...more,
  });
  await fleet.import([
    gpuRecord('GPU-1', { ...mine, at: at(1), hostname: 'node-1', report_interval_seconds: 60 }),
    // Two minutes of rising temperature, then a throttle event, corrected errors, and an XID.
    sample(1, 0, { utilization_pct: 10, temperature_c: 40, power_draw_w: 100, memory_used_mib: 100 }),
    sample(1, 1, { utilization_pct: 30, temperature_c: 42, power_draw_w: 200, memory_used_mib: 300 }),
    sample(1, 2, { utilization_pct: 50, temperature_c: 44, power_draw_w: null, memory_used_mib: null }),
    sample(24, 59, {
      utilization_pct: null,
      memory_temperature_c: 70,
      tensor_active_pct: 31.25,
      dram_active_pct: 12.5,
      pcie_tx_mb_per_second: 812.345678,
      pcie_rx_mb_per_second: 0.0005,
      energy_millijoules_total: 9e9,
    }),
    sample(25, 0, {
      memory_temperature_c: 71,
      energy_millijoules_total: 9e9 + 1.8e9,
      utilization_pct: 90,
      fan_pct: 40,
      sm_clock_mhz: 1_000,
      memory_clock_mhz: 2_000,
    }),
    // The driver was reloaded, which resets its counters.
    sample(25, 1, {
      energy_millijoules_total: 0,
      utilization_pct: 90,
      throttle_reasons: 0x20,
      ecc_single_bit_total: 8,
    }),
    sample(25, 2, {
      energy_millijoules_total: 9e8,
      utilization_pct: null,
      throttle_reasons: 0x20,
      ecc_single_bit_total: 1,
    }),
    xidRecord('GPU-1', at(25, 3), 31, mine),
    { kind: 'gpu_process', ...mine, gpu_id: 'GPU-1', at: at(1), pid: 5, started_at: at(0) },
    { kind: 'host', ...mine, at: at(1), hostname: 'node-1', cpus: 96 },
    { kind: 'host', ...mine, at: at(26), hostname: 'node-2' },
    { kind: 'host_sample', ...mine, at: at(1), hostname: 'node-1', cpu_load_1m: 4, cpu_utilization_pct: 10 },
    { kind: 'host_sample', ...mine, at: at(25), hostname: 'node-1', cpu_load_1m: 2, forks_per_second: 3 },
    container('c-1', 2, { gpu_ids: ['GPU-1'], mps: true }),
    container('c-1', 30),
    container('c-2', 3, { gpu_ids: ['GPU-1'] }),
    container('c-3', 28),
    { kind: 'vm', ...mine, at: at(2), vm_id: 'vm-1', hostname: 'node-1' },
    process(5, 2),
    process(6, 2, { container_id: 'c-1' }),
    process(7, 30),
    { kind: 'agent_session', ...mine, at: at(2), session_id: 's-1', hostname: 'node-1' },
    alertRecord(1, { ...mine, created_at: at(2), severity: 'critical', type: 'gpu_ecc' }),
    alertRecord(2, { ...mine, created_at: at(30), severity: 'high', type: 'gpu_ecc' }),
    alertRecord(3, { ...mine, created_at: at(30), severity: 'high', type: 'rogue_ebpf' }),
    alertRecord(4, { ...mine, created_at: at(30), severity: 'info', type: 'vm_escape' }),
    alertRecord(5, { ...mine, created_at: at(30), severity: 'info', type: 'cpu_usage' }),
    alertRecord(6, { ...mine, created_at: at(50), severity: 'info', type: 'cpu_usage' }),
  ]);
  const metrics = await metricsOf(2);
  expect(metrics.alerts_by_severity).toEqual([
    { label: 'critical', value: 1, data: days(1, 0) },
    { label: 'high', value: 2, data: days(0, 2) },
    { label: 'medium', value: 0, data: days(0, 0) },
    { label: 'low', value: 0, data: days(0, 0) },
    { label: 'info', value: 2, data: days(0, 2) },
  ]);
  expect(metrics.top_alert_types).toEqual([
    { icon: 'memory', title: 'GPU ECC errors', count: 2 },
    { icon: 'cpu', title: 'CPU usage', count: 1 },
    { icon: 'shield', title: 'Rogue eBPF program', count: 1 },
  ]);
  expect(metrics.asset_coverage).toEqual([
    { label: 'GPUs', count: 1, data: days(1, 1) },
    { label: 'Hosts', count: 2, data: days(1, 2) },
    { label: 'Containers', count: 3, data: days(2, 2) },
    { label: 'VMs', count: 1, data: days(1, 0) },
    { label: 'Workspaces', count: 1, data: days(1, 1) },
  ]);
  // Healthy for two minutes, five until the missing-data timeout and three more. Missing for the rest of the 24 h except
  // for five minutes in between, and from 01:07 until midnight.
  const healthyMinutes = 2 + 5 + 3;
  const knownMinutes = 2 + (24 * 60 - 2) + 2 + (23 * 60 - 7);
  expect(metrics.metrics_summary).toEqual({
    gpu_count: 1,
    avg_gpu_utilization: 54,
    avg_gpu_temperature: 42,
    avg_gpu_power: 150,
    avg_gpu_memory: 20,
    avg_gpu_fan_speed: 40,
    avg_clock_speed: 1_000,
    avg_memory_clock: 2_000,
    avg_memory_temperature_c: 70.5,
    avg_tensor_active_pct: 31.25,
    avg_dram_active_pct: 12.5,
    avg_pcie_tx_mb_per_second: 812.3457,
    avg_pcie_rx_mb_per_second: 0.0005,
    total_energy_kwh: 0.75,
    avg_health_score: Math.round((healthyMinutes / knownMinutes) * 1e6) / 1e4,
    avg_thermal_slope: 2,
    total_ecc_errors: 3,
    total_xid_errors: 1,
    active_crash_chains: 0,
    total_throttle_events: 1,
    avg_cpu_load: 3,
    avg_cpu_utilization: 10,
    process_count: 3,
    avg_fork_rate: 3,
    avg_exit_rate: null,
    container_count: 3,
    gpu_container_count: 2,
    mps_container_count: 1,
    container_process_count: 1,
    vm_count: 1,
  });
  const { metrics_charts: charts } = metrics;
  expect(Object.keys(charts).sort()).toEqual(
    Object.keys(SUMMARY_OF_NOTHING)
      .filter((key) => key !== 'active_crash_chains' && key !== 'avg_exit_rate')
      .sort(),
  );
  const values = (key: string) => charts[key]?.map(({ value }) => value);
  expect(charts['avg_gpu_utilization']).toEqual(days(30, 90));
  expect(values('avg_gpu_power')).toEqual([150, null]);
  expect(values('avg_cpu_load')).toEqual([4, 2]);
  expect(values('total_ecc_errors')).toEqual([0, 3]);
  expect(values('process_count')).toEqual([2, 1]);
  expect(values('gpu_container_count')).toEqual([2, 0]);
});

describe('health over time', () => {
  const mine = { customer_id: 3, workspace_id: 10 };
  const every = (gpu: string, from: number, to: number, readings: object = {}) =>
    Array.from({ length: to - from }, (_unused, n) => ({
      ...sampleRecord(gpu, at(0, from + n), readings),
      ...mine,
    }));

  test('critical counts as 0, degraded as 50', async () => {
    const board = { ...mine, at: at(0), report_interval_seconds: 60, slowdown_temperature_c: 80 };
    await fleet.import([
      gpuRecord('GPU-1', board),
      ...every('GPU-1', 0, 60, { temperature_c: 50 }),
      ...every('GPU-1', 60, 121, { temperature_c: 85 }),
    ]);
    const { metrics_summary: first, metrics_charts: charts } = await metricsOf(3, { query: { to: at(24) } });
    // It reported for two hours, and was missing from five minutes later until midnight.
    const known = 120 + (24 * 60 - 125);
    expect(first['avg_health_score']).toBe(Math.round(((60 * 100 + 60 * 50) / known) * 1e4) / 1e4);
    expect(charts['avg_health_score']).toEqual([{ date: label(0), value: first['avg_health_score'] }]);
    // Missing since the day before: not counted in a window without its reports.
    const { metrics_summary: next } = await metricsOf(3, { query: { from: at(24) } });
    expect(next).toMatchObject({ gpu_count: 0, avg_health_score: null });
    const { metrics_charts: both } = await metricsOf(3);
    expect(both['avg_health_score']?.map(({ value }) => value)).toEqual([first['avg_health_score'], 0]);
  });

  test('two critical XIDs within three minutes are a crash chain until the GPU is healthy', async () => {
    const gpu = (id: string) => gpuRecord(id, { customer_id: 4, at: at(70), report_interval_seconds: 60 });
    const xid = (id: string, minutes: number, code = 79) =>
      xidRecord(id, at(70, minutes), code, { customer_id: 4 });
    const sample = (id: string, minutes: number, code = 0) => ({
      ...sampleRecord(id, at(70, minutes), { xid_last_code: code }),
      customer_id: 4,
    });
    const chains = async () =>
      (await metricsOf(4, { query: { to: at(72) } })).metrics_summary['active_crash_chains'];
    await fleet.import([gpu('GPU-1'), sample('GPU-1', 0), xid('GPU-1', 1), xid('GPU-1', 4)]);
    expect(await chains()).toBe(0); // Exactly three minutes.
    await fleet.import([gpu('GPU-2'), sample('GPU-2', 0), xid('GPU-2', 1, 31), xid('GPU-2', 2)]);
    expect(await chains()).toBe(0); // One of them is an application error.
    await fleet.import([xid('GPU-1', 3)]);
    expect(await chains()).toBe(1); // Reported late.
    await fleet.import([sample('GPU-2', 1, 79), sample('GPU-2', 2, 48)]);
    expect(await chains()).toBe(2);
    // A reloaded driver ends it after ten minutes without XIDs.
    await fleet.import(Array.from({ length: 20 }, (_unused, n) => sample('GPU-2', 3 + n)));
    expect(await chains()).toBe(1);
    // The next XID does not start it again, nor does an earlier one whose effect has ended before.
    await fleet.import([xid('GPU-2', 22)]);
    await fleet.import([xid('GPU-2', -25 * 60)]);
    expect(await chains()).toBe(1);
  });
});

describe('scope', () => {
  beforeAll(async () => {
    const gpu = (id: string, owner: object) => [
      gpuRecord(id, { customer_id: 5, at: at(1), hostname: `host-of-${id}`, ...owner }),
      { ...sampleRecord(id, at(1), { utilization_pct: Number(id.slice(4)) }), customer_id: 5 },
    ];
    await fleet.import([
      ...gpu('GPU-10', { workspace_id: 1, api_key_id: 71 }),
      ...gpu('GPU-20', { workspace_id: 1, api_key_id: 72 }),
      ...gpu('GPU-40', { workspace_id: 2, api_key_id: 71 }),
      ...gpu('GPU-80', { workspace_id: 3 }),
      { kind: 'host', customer_id: 5, at: at(1), hostname: 'nobodys' },
      alertRecord(51, { customer_id: 5, workspace_id: null, created_at: at(1), type: 'kernel_oops' }),
      alertRecord(52, { customer_id: 5, workspace_id: 2, api_key_id: 71, created_at: at(1) }),
      gpuRecord('GPU-99', { customer_id: 6, workspace_id: 1, at: at(1) }),
      { ...sampleRecord('GPU-99', at(1), { utilization_pct: 99 }), customer_id: 6 },
    ]);
  });
  const OWN: Access = [{ customer_id: 5, workspace_ids: 'all' }];
  const LISTED: Access = [{ customer_id: 5, workspace_ids: [1, 2] }];

  test.each<[string, Access, Record<string, string>, number, number | null, number, number, number]>([
    ['all of a customer', OWN, {}, 4, 37.5, 5, 2, 3],
    ['listed workspaces, and what is of none', LISTED, {}, 3, 23.3333, 4, 2, 2],
    ['one workspace', OWN, { workspace_id: '1' }, 2, 15, 2, 0, 1],
    ['one of the listed', LISTED, { workspace_id: '2' }, 1, 40, 1, 1, 1],
    ['one that is not listed', LISTED, { workspace_id: '3' }, 0, null, 0, 0, 0],
    ['a key', OWN, { api_key_id: '71' }, 2, 25, 2, 1, 2],
    ['a key in a workspace', OWN, { api_key_id: '71', workspace_id: '2' }, 1, 40, 1, 1, 1],
    [
      'a key in listed workspaces',
      [{ customer_id: 5, workspace_ids: [2] }],
      { api_key_id: '71' },
      1,
      40,
      1,
      1,
      1,
    ],
    ['no workspace listed', [{ customer_id: 5, workspace_ids: [] }], {}, 0, null, 1, 1, 0],
    ['another customer', OWN, { customer_id: '6' }, 0, null, 0, 0, 0],
    ['two customers', [...OWN, { customer_id: 6, workspace_ids: [1] }], {}, 5, 49.8, 6, 2, 4],
    [
      'two customers, one of them',
      [...OWN, { customer_id: 6, workspace_ids: [1] }],
      { customer_id: '6' },
      1,
      99,
      1,
      0,
      1,
    ],
    ['an id past every id', OWN, { api_key_id: '99999999999999999999' }, 0, null, 0, 0, 0],
    ['an empty access', [], {}, 0, null, 0, 0, 0],
  ])('%s', async (_what, access, query, gpus, utilization, hosts, alerts, workspaces) => {
    const metrics = await metricsOf(5, { access, query });
    expect(metrics.metrics_summary).toMatchObject({ gpu_count: gpus, avg_gpu_utilization: utilization });
    const [, hostCoverage, , , workspaceCoverage] = metrics.asset_coverage;
    expect([hostCoverage?.count, workspaceCoverage?.count]).toEqual([hosts, workspaces]);
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    expect(sum(metrics.alerts_by_severity.map(({ value }) => value))).toBe(alerts);
    expect(sum(metrics.top_alert_types.map(({ count }) => count))).toBe(alerts);
  });
});

describe('the window', () => {
  test('defaults to the last 90 days, widened to whole days', async () => {
    const today = () => label(Math.floor((Date.now() - MIDNIGHT) / DAY_MS));
    const before = today();
    const response = await fleet.get('/api/v1/metrics', ALL);
    const { metrics } = await bodyOf<{ metrics: FleetMetricsModel }>(response, 'getMetrics');
    for (const { data } of metrics.alerts_by_severity) expect(data).toHaveLength(91);
    // A day may have started in between.
    expect([before, today()]).toContain(metrics.asset_coverage[0]?.data.at(-1)?.date);
  });

  test.each([
    ['widens to days', at(5), at(25), 2],
    ['equal is empty', at(5), at(5), 0],
    ['a day', at(0), at(24), 1],
  ])('%s', async (_what, from, to, length) => {
    const metrics = await metricsOf(2, { query: { from, to } });
    expect(metrics.asset_coverage[0]?.data).toHaveLength(length);
    expect(metrics.metrics_summary['gpu_count']).toBe(Math.min(length, 1));
  });

  test('distant bounds are cut to the retention', async () => {
    const metrics = await metricsOf(2, {
      query: { from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' },
    });
    expect(metrics.metrics_summary['gpu_count']).toBe(1);
    expect(metrics.asset_coverage[0]?.data.length).toBeLessThan(440);
  });

  test.each([
    ['from', '2026-11-21', 'RFC 3339'],
    ['to', 'tomorrow', 'RFC 3339'],
    ['customer_id', '0', 'an integer of at least 1'],
    ['workspace_id', '1.5', 'an integer of at least 1'],
    ['api_key_id', '', 'an integer of at least 1'],
    ['page_size', '5', 'it takes from, to, customer_id, workspace_id, api_key_id'],
  ])('rejects %s=%s and reports what is accepted', async (name, value, accepted) => {
    const response = await fleet.get(`/api/v1/metrics?${name}=${value}`, ALL);
    const message = await errorMessageOf(response, 'getMetrics', 400, 'invalid_query');
    expect(message).toContain(name);
    expect(message).toContain(accepted);
  });

  test('rejects an end before the start', async () => {
    const response = await fleet.get(`/api/v1/metrics?from=${at(2)}&to=${at(1)}`, ALL);
    expect(await errorMessageOf(response, 'getMetrics', 400, 'invalid_query')).toBe(
      `from (${at(2)}) must not be later than to (${at(1)}).`,
    );
  });
});

test('titles of alert types are ASCII, as which the response is encoded', () => {
  for (const type of ALERT_TYPES)
    expect(Object.values(ALERT_TYPE_TITLES[type]).join()).toMatch(/^[\x20-\x7e]+$/);
});
