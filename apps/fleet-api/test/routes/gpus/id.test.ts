import type { Access } from '@gpu-observatory/domain-types';
import type { GpuDetailModel } from '../../../src/api/gpus/gpu-detail.models.ts';
import { bodyOf, errorMessageOf } from '../../support/responses.ts';
import { useFleetService } from '../../support/fleet-service.ts';
import { sendRaw } from '../../support/raw-request.ts';
import {
  alertRecord,
  gpuDayRecord,
  gpuRecord,
  minutesAgo,
  sampleRecord,
  xidRecord,
} from '../../support/records.ts';

const ACCESS: Access = [{ customer_id: 1, workspace_ids: [10] }];
const ALL: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const FULL = 'GPU-8f1c7a52-0001';
const BARE = 'GPU-bare';
const COMPOSITES = [
  'node-a|0000:3b:00.0|vm-7',
  'node-a|0000:3b:00.0|',
  `${'long-host-name.'.repeat(30)}|0000:3b:00.0|${'guest'.repeat(40)}`,
  'höst 1/a?b#c|0000:3b:00.0|guest;%41+&=ü\'"\\',
];
const NOW = minutesAgo(0);
const BEGAN = minutesAgo(300);
const HOT = minutesAgo(1);
/** Time of the last report of a missing GPU. */
const LOST = Date.parse(minutesAgo(10));
/** Half busy from the first report to the end of its half hour, fully busy in the half hour of the last report. */
const BUSY = (() => {
  const HALF_HOUR = 1_800_000;
  const last = Date.parse(HOT);
  const first = last - 40 * 60_000;
  const firstSeconds = (HALF_HOUR - (first % HALF_HOUR)) / 1_000;
  const lastSeconds = (last % HALF_HOUR) / 1_000;
  const busy = Math.round(firstSeconds / 2 + lastSeconds);
  return { busy, idle: Math.round(firstSeconds + lastSeconds) - busy };
})();

const fleet = useFleetService();
beforeAll(async () => {
  const xid = (minutes: number, code: number) => xidRecord(FULL, minutesAgo(minutes, Date.parse(NOW)), code);
  const process = (pid: number, more: object) => ({
    kind: 'gpu_process',
    customer_id: 1,
    gpu_id: FULL,
    at: HOT,
    pid,
    started_at: BEGAN,
    ...more,
  });
  const onGpu = (n: number, more: object) => alertRecord(n, { gpu_id: FULL, ...more });
  await fleet.import([
    gpuRecord(FULL, {
      at: minutesAgo(40, Date.parse(HOT)),
      vendor: 'NVIDIA',
      model: 'NVIDIA H100 80GB HBM3',
      compute_stack: 'CUDA 13.0',
      driver_version: '580.82.07',
      firmware_version: '96.00.9F',
      hostname: 'node-a',
      pcie_address: '0000:3b:00.0',
      serial_no: '1654922006536',
      mig_enabled: true,
      slowdown_temperature_c: 85,
      shutdown_temperature_c: 92,
    }),
    sampleRecord(FULL, minutesAgo(40, Date.parse(HOT)), {
      utilization_pct: 50,
      memory_used_mib: 20_480,
      temperature_c: 70,
      power_draw_w: 400,
      xid_last_code: 0,
    }),
    sampleRecord(FULL, HOT, {
      utilization_pct: 100,
      memory_used_mib: 40_960.5,
      memory_total_mib: 81_559,
      temperature_c: 86,
      power_draw_w: 690.25,
      power_limit_w: 700,
      fan_pct: null,
      xid_last_code: 0,
      memory_temperature_c: 88,
      remapped_rows_total: 2,
      tensor_active_pct: 41.5,
      dram_active_pct: 20.25,
      pcie_tx_mb_per_second: 812.25,
      pcie_rx_mb_per_second: 0,
      energy_millijoules_total: 3_600_450_000,
    }),
    xid(60, 31),
    xid(90, 63),
    xid(25 * 60, 13),
    xid(26 * 60, 13),
    // Older than 3.5 days, and fewer than since.
    xid(100 * 60, 8),
    process(4_294_967_295, {
      name: 'python3',
      description: 'train.py',
      usage_category: 'training',
      gpu_utilization_pct: 97.5,
      memory_used_mib: 2_048,
    }),
    process(7, { name: 'python3', gpu_utilization_pct: 2.5, memory_used_mib: 512 }),
    // Absent from the last reports, so it has ended.
    { ...process(8, { name: 'gone' }), at: minutesAgo(60) },
    onGpu(1, { severity: 'critical', type: 'gpu_ecc' }),
    onGpu(2, { severity: 'critical', type: 'gpu_thermal' }),
    onGpu(3, { severity: 'low', type: 'gpu_thermal', workspace_id: null }),
    onGpu(4, { severity: 'info', type: 'gpu_thermal' }),
    onGpu(5, { severity: 'high', workspace_id: 11 }),
    onGpu(6, { severity: 'high', created_at: minutesAgo(24 * 60 + 1) }),
    onGpu(7, { severity: 'high', gpu_id: BARE }),
    onGpu(8, { severity: 'high', customer_id: 2 }),
    gpuRecord(BARE, { at: minutesAgo(30), hostname: '' }),
    gpuRecord('GPU-elsewhere', { workspace_id: 11 }),
    gpuRecord('GPU-foreign', { customer_id: 2 }),
    ...COMPOSITES.map((id) => gpuRecord(id)),
    gpuRecord('GPU-lost', { at: minutesAgo(4, LOST), report_interval_seconds: 60 }),
    sampleRecord('GPU-lost', minutesAgo(4, LOST), { xid_last_code: 48 }),
    sampleRecord('GPU-lost', minutesAgo(0, LOST)),
    ...[63, 79].map((code) => xidRecord('GPU-lost', minutesAgo(0, LOST), code)),
  ]);
});

const get = (id: string, access: Access = ACCESS) =>
  fleet.get(`/api/v1/gpus/${encodeURIComponent(id)}`, access);
const detailOf = async (id: string, access: Access = ACCESS) =>
  (await bodyOf<{ gpu: GpuDetailModel }>(await get(id, access), 'getGpu')).gpu;

it('returns all fields of a GPU', async () => {
  const time = (minutes: number) => minutesAgo(minutes, Date.parse(NOW));
  expect(await detailOf(FULL)).toEqual({
    gpu_id: FULL,
    vendor: 'NVIDIA',
    model: 'NVIDIA H100 80GB HBM3',
    health: 'degraded',
    specs: {
      serial_no: '1654922006536',
      compute_stack: 'CUDA 13.0',
      driver_version: '580.82.07',
      firmware_version: '96.00.9F',
      hostname: 'node-a',
      pcie_address: '0000:3b:00.0',
      mig_enabled: true,
    },
    security: { total_alerts_24h: 4, alerts_by_severity: [2, 0, 0, 1] },
    security_diagnostics: {
      alerts_24h: 4,
      by_severity: [
        { severity: 'critical', count: 2 },
        { severity: 'high', count: 0 },
        { severity: 'medium', count: 0 },
        { severity: 'low', count: 1 },
        { severity: 'info', count: 1 },
      ],
      by_type: [
        { type: 'gpu_thermal', count: 3 },
        { type: 'gpu_ecc', count: 1 },
      ],
      recent_xid_errors: [
        {
          code: 31,
          name: expect.any(String) as unknown,
          severity: 'low',
          action: 'restart application',
          count: 1,
          occurred_at: time(60),
        },
        {
          code: 63,
          name: expect.any(String) as unknown,
          severity: 'medium',
          action: 'ignore',
          count: 1,
          occurred_at: time(90),
        },
      ],
      health: {
        status: 'degraded',
        reasons: [
          {
            rule: 'temperature_slowdown',
            health: 'degraded',
            evidence: '86 °C; the board slows down at 85 °C',
            since: HOT,
            until: minutesAgo(-10, Date.parse(HOT)),
          },
          {
            rule: 'degrading_xid',
            health: 'degraded',
            evidence: expect.stringMatching(/^XID 63: /) as unknown,
            since: time(90),
            until: time(90 - 24 * 60),
          },
        ],
      },
    },
    xid: { errors_24h: 2, trend_7d: 'rising', last_code: 31 },
    telemetry: {
      utilization_pct: 100,
      memory_used_gb: 40,
      memory_total_gb: 79.647,
      temperature_c: 86,
      power_draw_w: 690.25,
      power_limit_w: 700,
      fan_pct: null,
      history: {
        utilization: [50, 100],
        memory: [20, 40],
        temperature: [70, 86],
        power: [400, 690.25],
      },
    },
    processes: [
      {
        pid: '4294967295',
        name: 'python3',
        description: 'train.py',
        usage_category: 'training',
        gpu_utilization_pct: 97.5,
        memory_usage_gb: 2,
        started_at: BEGAN,
      },
      {
        pid: '7',
        name: 'python3',
        description: '',
        usage_category: '',
        gpu_utilization_pct: 2.5,
        memory_usage_gb: 0.5,
        started_at: BEGAN,
      },
    ],
    utilization: {
      busy_seconds_24h: BUSY.busy,
      idle_seconds_24h: BUSY.idle,
      usage_categories: [
        { usage_category: '', process_count: 1 },
        { usage_category: 'training', process_count: 1 },
      ],
      analyzed_event_count: 6,
      process_families: [{ name: 'python3', process_count: 2 }],
      hardware: {
        tensor_active_pct: 41.5,
        dram_active_pct: 20.25,
        pcie_tx_mb_per_second: 812.25,
        pcie_rx_mb_per_second: 0,
        memory_temperature_c: 88,
        remapped_rows_total: 2,
        energy_total_kwh: 1.0001,
      },
    },
    last_refreshed_at: HOT,
  });
});

it('returns all fields of a GPU without telemetry, which does not go missing', async () => {
  expect(await detailOf(BARE)).toEqual({
    gpu_id: BARE,
    vendor: '',
    model: '',
    health: 'healthy',
    specs: {
      serial_no: '',
      compute_stack: '',
      driver_version: '',
      firmware_version: '',
      hostname: '',
      pcie_address: '',
      mig_enabled: false,
    },
    security: { total_alerts_24h: 1, alerts_by_severity: [0, 1, 0, 0] },
    security_diagnostics: {
      alerts_24h: 1,
      by_severity: ['critical', 'high', 'medium', 'low', 'info'].map((severity) => ({
        severity,
        count: severity === 'high' ? 1 : 0,
      })),
      by_type: [{ type: 'gpu_thermal', count: 1 }],
      recent_xid_errors: [],
      health: { status: 'healthy', reasons: [] },
    },
    xid: { errors_24h: null, trend_7d: 'flat', last_code: null },
    telemetry: {
      utilization_pct: null,
      memory_used_gb: null,
      memory_total_gb: null,
      temperature_c: null,
      power_draw_w: null,
      power_limit_w: null,
      fan_pct: null,
      history: { utilization: [], memory: [], temperature: [], power: [] },
    },
    processes: [],
    utilization: {
      busy_seconds_24h: 0,
      idle_seconds_24h: 0,
      usage_categories: [],
      analyzed_event_count: 1,
      process_families: [],
      hardware: {
        tensor_active_pct: null,
        dram_active_pct: null,
        pcie_tx_mb_per_second: null,
        pcie_rx_mb_per_second: null,
        memory_temperature_c: null,
        remapped_rows_total: null,
        energy_total_kwh: null,
      },
    },
    last_refreshed_at: expect.any(String) as unknown,
  });
});

it('counts only alerts in the caller’s access', async () => {
  expect((await detailOf(FULL, ALL)).security).toEqual({
    total_alerts_24h: 5,
    alerts_by_severity: [2, 1, 0, 1],
  });
});

it('reports the critical signals of a missing GPU, its missing report, and the other signals', async () => {
  const { health, security_diagnostics, last_refreshed_at } = await detailOf('GPU-lost');
  const { reasons } = security_diagnostics.health;
  expect(health).toBe('missing');
  expect(reasons.map(({ rule }) => rule)).toEqual(['critical_xid', 'no_report', 'degrading_xid']);
  // The XID of the gauge and the one of the driver are one reason.
  expect(reasons[0]).toEqual({
    rule: 'critical_xid',
    health: 'critical',
    evidence: 'XID 79: GPU has fallen off the bus (restart host)',
    since: minutesAgo(4, LOST),
    until: minutesAgo(-24 * 60, LOST),
  });
  expect(reasons[1]).toEqual({
    rule: 'no_report',
    health: 'missing',
    evidence: `no report since ${last_refreshed_at}; one is due every 60 s`,
    since: last_refreshed_at,
    until: null,
  });
});

it('has the same health as the list', async () => {
  const { gpus } = await bodyOf<{ gpus: { gpu_id: string; health: string }[] }>(
    await fleet.get('/api/v1/gpus', ACCESS),
    'listGpus',
  );
  expect(new Set(gpus.map(({ health }) => health)).size).toBeGreaterThan(1);
  for (const { gpu_id, health } of gpus)
    expect([gpu_id, (await detailOf(gpu_id)).health]).toEqual([gpu_id, health]);
});

it.each(COMPOSITES)('resolves the percent-encoded composite id %s', async (id) => {
  expect((await detailOf(id)).gpu_id).toBe(id);
  const lowerCaseEscapes = encodeURIComponent(id).replaceAll(/%[0-9A-F]{2}/g, (escape) =>
    escape.toLowerCase(),
  );
  const response = await fleet.get(`/api/v1/gpus/${lowerCaseEscapes}/`, ACCESS);
  expect((await bodyOf<{ gpu: GpuDetailModel }>(response, 'getGpu')).gpu.gpu_id).toBe(id);
});

it('resolves a raw composite id', async () => {
  const authorization = `Bearer ${await fleet.account.token(ACCESS)}`;
  for (const id of COMPOSITES.slice(0, 3)) {
    const response = await sendRaw(fleet.running.publicUrl, `/api/v1/gpus/${id}`, {
      headers: { authorization },
    });
    expect([response.status, (JSON.parse(response.text) as { gpu: GpuDetailModel }).gpu?.gpu_id]).toEqual([
      200,
      id,
    ]);
  }
});

it.each([
  '0000:3b:00.0',
  '8f1c7a52-0001',
  'gpu-8f1c7a52-0001',
  'GPU-',
  'node-a|0000:3b:00.0',
  '|',
  'GPU-elsewhere',
  'GPU-foreign',
  'GPU-none',
])('returns 404 for %s', async (id) => {
  expect(await errorMessageOf(await get(id), 'getGpu', 404, 'not_found')).toBe(
    `There is no GPU ${id}; ids have the form GPU-… or host|pci|guest, as returned by the list.`,
  );
});

it.each([
  ['null for a day without `xid_reported`', {}, [], null],
  ['0 for a day with `xid_reported` and no XID', { xid_reported: true }, [], 0],
  ['counted for a day without `xid_reported` and with an XID', {}, [50 * 24 * 60], 1],
  ['null for a day whose `xid_reported` is false', { xid_reported: false }, [], null],
])('the list’s XID errors over a long window are %s', async (what, more, xids, expected) => {
  const id = `GPU-${what.length}-${xids.length}`;
  const day = minutesAgo(50 * 24 * 60).slice(0, 10);
  await fleet.import([
    gpuRecord(id, { at: minutesAgo(60 * 24 * 60) }),
    gpuDayRecord(id, day, more),
    ...xids.map((minutes) => xidRecord(id, minutesAgo(minutes), 31)),
  ]);
  const window = `from=${minutesAgo(80 * 24 * 60)}`;
  const { gpus } = await bodyOf<{ gpus: { gpu_id: string; xid_errors: number | null }[] }>(
    await fleet.get(`/api/v1/gpus?view=basic&${window}`, ACCESS),
    'listGpus',
  );
  expect(gpus.find((gpu) => gpu.gpu_id === id)?.xid_errors).toBe(expected);
  // The detail covers the last 24 hours, which have no data.
  expect((await detailOf(id)).xid.errors_24h).toBeNull();
});

it('rejects parameters', async () => {
  const response = await fleet.get(`/api/v1/gpus/${FULL}?from=2026-11-21T08:00:00Z`, ACCESS);
  expect(await errorMessageOf(response, 'getGpu', 400, 'invalid_query')).toBe(
    'from is not a parameter of this endpoint; it takes none.',
  );
});
