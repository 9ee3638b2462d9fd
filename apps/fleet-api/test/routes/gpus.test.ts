import type { Access } from '@gpu-observatory/domain-types';
import { HOUR_MS, DAY_MS } from '@gpu-observatory/domain-types';
import type { GpuModel } from '../../src/api/gpus/gpus.models.ts';
import { bodyOf, errorMessageOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { gpuDayRecord, gpuRecord, minutesAgo, sampleRecord, xidRecord } from '../support/records.ts';

/** A complete UTC day, so that results do not depend on the clock. */
const DAY = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS;
const at = (hours: number, minutes = 0) => new Date(DAY + hours * HOUR_MS + minutes * 60_000).toISOString();
/** With one report per day, a GPU is not missing two days after the last one. */
const PATIENT = { report_interval_seconds: 86_400 };
const ALL: Access = [
  { customer_id: 1, workspace_ids: 'all' },
  { customer_id: 2, workspace_ids: 'all' },
];

const MEASURED = 'GPU-8f1c7a52-0001';
const ODD_ID = 'höst 1/a?b#c|0000:3b:00.0|guest;%41+&=ü';
/** In the order of the list. Text sorts by code point, so node-C precedes node-a. */
const ORDER = [
  'GPU-critical',
  'GPU-lost',
  'GPU-degraded',
  'GPU-missing',
  ODD_ID,
  MEASURED,
  'GPU-healthy-1',
  'GPU-healthy-2',
];

const fleet = useFleetService();
beforeAll(async () => {
  await fleet.import([
    gpuRecord(MEASURED, {
      ...PATIENT,
      at: at(1),
      vendor: 'NVIDIA',
      model: 'NVIDIA H100 80GB HBM3',
      compute_stack: 'CUDA 13.0',
      driver_version: '580.82.07',
      firmware_version: '96.00.9F',
      hostname: 'node-a',
      pcie_address: '0000:3b:00.0',
      serial_no: '1654922006536',
      api_key_id: 7,
    }),
    sampleRecord(MEASURED, at(1, 0), { utilization_pct: 50, temperature_c: 60, xid_last_code: 0 }),
    sampleRecord(MEASURED, at(1, 10), { utilization_pct: 70, temperature_c: 64, xid_last_code: 0 }),
    sampleRecord(MEASURED, at(3), { utilization_pct: 10, temperature_c: null, xid_last_code: 0 }),
    // It reported every minute until a day ago.
    gpuRecord('GPU-missing', { at: minutesAgo(24 * 60), hostname: 'node-b', workspace_id: 11 }),
    sampleRecord('GPU-missing', minutesAgo(24 * 60)),
    // It fell off the bus.
    gpuRecord('GPU-lost', { at: minutesAgo(40), hostname: 'node-a' }),
    sampleRecord('GPU-lost', minutesAgo(40)),
    xidRecord('GPU-lost', minutesAgo(39), 79),
    // Without telemetry, as from a kernel log.
    gpuRecord('GPU-critical', { at: minutesAgo(30), hostname: 'node-z' }),
    xidRecord('GPU-critical', minutesAgo(30), 79),
    xidRecord('GPU-critical', minutesAgo(29), 31),
    gpuRecord('GPU-degraded', { hostname: 'node-y', customer_id: 2, workspace_id: 20 }),
    xidRecord('GPU-degraded', minutesAgo(30), 63, { customer_id: 2 }),
    gpuRecord('GPU-healthy-2', { hostname: 'node-c' }),
    gpuRecord('GPU-healthy-1', { hostname: 'node-c' }),
    gpuRecord(ODD_ID, { hostname: 'node-C' }),
  ]);
});

async function list(query: Record<string, string> = {}, access: Access = ALL): Promise<GpuModel[]> {
  const response = await fleet.get(`/api/v1/gpus?${new URLSearchParams(query).toString()}`, access);
  return (await bodyOf<{ gpus: GpuModel[] }>(response, 'listGpus')).gpus;
}

const idsOf = (rows: GpuModel[]) => rows.map(({ gpu_id }) => gpu_id);
const rowOf = async (gpuId: string, query: Record<string, string> = {}) =>
  (await list(query)).find(({ gpu_id }) => gpu_id === gpuId) as GpuModel;
const invalidQuery = async (query: string) =>
  errorMessageOf(await fleet.get(`/api/v1/gpus?${query}`, ALL), 'listGpus', 400, 'invalid_query');

describe('the list', () => {
  it('sorts by urgency (critical, lost, degraded, missing, healthy), then hostname and id', async () => {
    const rows = await list();
    expect(idsOf(rows)).toEqual(ORDER);
    expect(rows.map(({ health }) => health)).toEqual([
      'critical',
      'missing',
      'degraded',
      'missing',
      'healthy',
      'healthy',
      'healthy',
      'healthy',
    ]);
  });

  it('has exactly the documented fields', async () => {
    const window = { from: at(0), to: at(24) };
    expect(await rowOf(MEASURED, window)).toEqual({
      gpu_id: MEASURED,
      workspace_id: 10,
      vendor: 'NVIDIA',
      model: 'NVIDIA H100 80GB HBM3',
      compute_stack: 'CUDA 13.0',
      driver_version: '580.82.07',
      health: 'healthy',
      hostname: 'node-a',
      pcie_address: '0000:3b:00.0',
      serial_no: '1654922006536',
      utilization_pct: 43.33,
      temperature_c: 62,
      xid_errors: 0,
      utilization_series: [60, 10],
      last_seen: at(3),
    });
    expect(await rowOf('GPU-missing', window)).toEqual({
      gpu_id: 'GPU-missing',
      workspace_id: 11,
      vendor: '',
      model: '',
      compute_stack: '',
      driver_version: '',
      health: 'missing',
      hostname: 'node-b',
      pcie_address: '',
      serial_no: '',
      utilization_pct: null,
      temperature_c: null,
      xid_errors: null,
      utilization_series: [],
      last_seen: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
    });
  });

  it.each(['/api/v1/gpus', '/api/v1/gpus/'])('is served at %s without a redirect', async (path) => {
    const response = await fleet.get(path, ALL);
    expect(response.redirected).toBe(false);
    expect(idsOf((await bodyOf<{ gpus: GpuModel[] }>(response, 'listGpus')).gpus)).toEqual(ORDER);
  });

  it('omits only the series in the basic view', async () => {
    const full = await list({ view: 'full' });
    const basic = await list({ view: 'basic' });
    expect(full.every((row) => 'utilization_series' in row)).toBe(true);
    expect(basic).toEqual(full.map(({ utilization_series: _series, ...row }) => row));
  });

  it('returns the first page_size rows', async () => {
    expect(idsOf(await list({ page_size: '1' }))).toEqual(ORDER.slice(0, 1));
    expect(idsOf(await list({ page_size: '5' }))).toEqual(ORDER.slice(0, 5));
    expect(idsOf(await list({ page_size: '100000' }))).toEqual(ORDER);
  });
});

describe('the window', () => {
  const numbers = async (from: string, to: string) => {
    const { utilization_pct, temperature_c, xid_errors, utilization_series } = await rowOf(MEASURED, {
      from,
      to,
    });
    return [utilization_pct, temperature_c, xid_errors, utilization_series];
  };

  it('selects whole half hours for the means', async () => {
    expect(await numbers(at(1, 5), at(1, 8))).toEqual([60, 62, 0, [60]]);
    expect(await numbers(at(2, 59), at(24))).toEqual([10, null, 0, [10]]);
    expect(await numbers(at(1, 30), at(3))).toEqual([null, null, null, []]);
    expect(await numbers(at(1), at(1))).toEqual([null, null, null, []]);
    expect(await numbers(at(0), at(24.5))).toEqual([43.33, 62, 0, [60, 10]]);
  });

  it('accepts any time zone', async () => {
    const inTokyo = (hours: number) => at(hours + 9).replace('Z', '+09:00');
    expect(await numbers(inTokyo(1), inTokyo(2))).toEqual([60, 62, 0, [60]]);
  });

  it('counts XID events of all sources, and zero when a source reported none', async () => {
    expect((await rowOf('GPU-critical')).xid_errors).toBe(2);
    expect((await rowOf('GPU-degraded')).xid_errors).toBe(1);
    expect((await rowOf('GPU-critical', { from: at(0), to: at(1) })).xid_errors).toBeNull();
    expect((await rowOf(MEASURED, { from: at(0), to: at(24) })).xid_errors).toBe(0);
  });

  it('accepts years up to 9999', async () => {
    const widest = { from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999Z' };
    const row = await rowOf(MEASURED, widest);
    expect([row.utilization_pct, row.utilization_series]).toEqual([43.33, [43.33]]);
    expect((await rowOf(MEASURED, { to: '0000-01-01T00:00:00Z' })).utilization_pct).toBeNull();
    expect((await rowOf(MEASURED, { from: '9999-12-31T23:59:59.999Z' })).utilization_pct).toBeNull();
  });

  it('defaults to the last 24 hours', async () => {
    const id = 'GPU-recent';
    await fleet.import([
      gpuRecord(id, { customer_id: 3 }),
      ...[0, 30, 600, 24 * 60 - 1, 26 * 60].map((minutes) => ({
        ...sampleRecord(id, minutesAgo(minutes), { utilization_pct: minutes < 24 * 60 ? 20 : 100 }),
        customer_id: 3,
      })),
    ]);
    const [row] = await list({}, [{ customer_id: 3, workspace_ids: 'all' }]);
    expect(row).toMatchObject({
      utilization_pct: 20,
      utilization_series: [20, 20, 20, 20],
      health: 'healthy',
    });
  });

  it('has a series of at most 48 evenly spaced means, also of imported days', async () => {
    const access: Access = [{ customer_id: 4, workspace_ids: 'all' }];
    const mean = (halfHour: number) => (halfHour * 7) % 101;
    const dayOf = (day: number) => new Date(DAY - day * DAY_MS);
    await fleet.import([
      gpuRecord('GPU-days', { customer_id: 4, ...PATIENT }),
      ...[1, 0].map((day) =>
        gpuDayRecord('GPU-days', dayOf(day).toISOString().slice(0, 10), {
          customer_id: 4,
          utilization_pct: Array.from({ length: 48 }, (_unused, n) => mean((1 - day) * 48 + n)),
        }),
      ),
    ]);
    const [row] = await list({ from: dayOf(1).toISOString(), to: at(24) }, access);
    const pairs = Array.from({ length: 48 }, (_unused, n) => (mean(2 * n) + mean(2 * n + 1)) / 2);
    expect(row?.utilization_series).toEqual(pairs);
    expect(row?.utilization_pct).toBeCloseTo(pairs.reduce((sum, value) => sum + value, 0) / 48, 1);
    expect(row?.temperature_c).toBe(40);
  });
});

describe('scope filters', () => {
  it('narrow the caller’s access', async () => {
    expect(idsOf(await list({ customer_id: '2' }))).toEqual(['GPU-degraded']);
    expect(idsOf(await list({ workspace_id: '11' }))).toEqual(['GPU-missing']);
    expect(idsOf(await list({ api_key_id: '7' }))).toEqual([MEASURED]);
    expect(idsOf(await list({ customer_id: '1', workspace_id: '10', api_key_id: '7' }))).toEqual([MEASURED]);
  });

  it('match nothing outside of the access or above the integer range', async () => {
    const narrow: Access = [{ customer_id: 1, workspace_ids: [11] }];
    for (const query of [{ customer_id: '2' }, { workspace_id: '10' }, { api_key_id: '7' }]) {
      expect(await list(query as Record<string, string>, narrow)).toEqual([]);
    }
    for (const id of ['2147483648', '9007199254740993', '99999999999999999999999999']) {
      expect(await list({ customer_id: id })).toEqual([]);
      expect(await list({ workspace_id: id })).toEqual([]);
      expect(await list({ api_key_id: id })).toEqual([]);
    }
    expect(await list({}, [])).toEqual([]);
  });
});

describe('invalid input', () => {
  const TIME = 'must be given once, as an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z';

  it.each([
    '2026-11-21',
    '2026-11-21T08:00:00',
    '2026-13-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '1763712000',
    '',
    'now',
  ])('rejects the time %p', async (text) => {
    expect(await invalidQuery(`from=${text}`)).toBe(`from ${TIME}, got "${text}".`);
    expect(await invalidQuery(`to=${text}`)).toBe(`to ${TIME}, got "${text}".`);
  });

  it('rejects an end before the start', async () => {
    expect(await invalidQuery(`from=${at(2)}&to=${at(1)}`)).toBe(
      `from (${at(2)}) must not be later than to (${at(1)}).`,
    );
  });

  it.each(['customer_id', 'workspace_id', 'api_key_id'])('rejects a malformed %s', async (name) => {
    for (const text of ['0', '-1', '1.5', '1e3', '0x10', '%2B1', ' 1', '']) {
      expect(await invalidQuery(`${name}=${text}`)).toBe(
        `${name} must be given once, as an integer of at least 1, got "${decodeURIComponent(text)}".`,
      );
    }
    expect(await invalidQuery(`${name}=1&${name}=2`)).toBe(
      `${name} must be given once, as an integer of at least 1, got ["1","2"].`,
    );
  });

  it('rejects other views, sizes and parameters, and reports what is accepted', async () => {
    expect(await invalidQuery('view=short')).toBe(
      'view must be given once, as one of full, basic, got "short".',
    );
    for (const size of ['0', '100001', '-1', '']) {
      expect(await invalidQuery(`page_size=${size}`)).toBe(
        `page_size must be given once, as an integer from 1 to 100000, got "${size}".`,
      );
    }
    expect(await invalidQuery('sort=health')).toBe(
      'sort is not a parameter of this endpoint; it takes from, to, view, page_size, customer_id, workspace_id, api_key_id.',
    );
  });
});
