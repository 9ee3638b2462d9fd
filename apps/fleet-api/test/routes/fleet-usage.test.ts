import type { Access } from '@gpu-observatory/domain-types';
import { DAY_MS } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { useFleetService } from '../support/fleet-service.ts';
import { gpuDayRecord, gpuRecord, sampleRecord, xidRecord } from '../support/records.ts';
import { bodyOf, errorMessageOf } from '../support/responses.ts';
import { type MeasuredGpu, usageOf } from '../support/usage-oracle.ts';

const HALF_HOUR_MS = 1_800_000;
const DAYS = 4;
/** Complete days before today. */
const START = Math.floor(Date.now() / DAY_MS) * DAY_MS - (DAYS + 1) * DAY_MS;
const at = (halfHour: number, seconds = 0) =>
  new Date(START + halfHour * HALF_HOUR_MS + seconds * 1_000).toISOString();
const ALL: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const BOTH: Access = [...ALL, { customer_id: 2, workspace_ids: 'all' }];
const OF_11: Access = [{ customer_id: 1, workspace_ids: [11] }];

/** GPUs of two customers, of which some are first seen within the window. */
const GPUS = [
  { gpu_id: 'GPU-a', customer_id: 1, workspace_id: 10, hostname: 'node-1', model: 'H100', from: 0 },
  { gpu_id: 'GPU-b', customer_id: 1, workspace_id: 10, hostname: 'node-1', model: 'H100', from: 50 },
  { gpu_id: 'GPU-c', customer_id: 1, workspace_id: 11, hostname: 'node-2', model: 'L4', from: 10 },
  { gpu_id: 'n|p|g', customer_id: 1, workspace_id: 9, hostname: 'node-3', model: '', from: 0 },
  { gpu_id: 'GPU-d', customer_id: 2, workspace_id: 10, hostname: 'node-1', model: 'H100', from: 5 },
];

/** Multiples of 0.25 add up exactly in any order. */
const reading = (max: number) =>
  fc.option(
    fc.nat(4 * max).map((n) => n / 4),
    { nil: null, freq: 4 },
  );
const [samples] = fc.sample(
  fc.array(
    fc.record({
      gpu: fc.nat(GPUS.length - 1),
      halfHour: fc.nat(DAYS * 48 - 1),
      utilization_pct: reading(100),
      power_draw_w: reading(700),
    }),
    { minLength: 600, maxLength: 600 },
  ),
  { numRuns: 1, seed: 7 },
) as [{ gpu: number; halfHour: number; utilization_pct: number | null; power_draw_w: number | null }[]];
const MEASURED: MeasuredGpu[] = GPUS.map((gpu, n) => ({
  ...gpu,
  firstSeenMs: Date.parse(at(gpu.from)),
  samples: samples
    .filter((sample) => sample.gpu === n && sample.halfHour >= gpu.from)
    .map((sample, second) => ({ ...sample, atMs: Date.parse(at(sample.halfHour, second)) })),
}));

const fleet = useFleetService();
beforeAll(async () => {
  await fleet.import(GPUS.map(({ from, ...gpu }) => gpuRecord(gpu.gpu_id, { ...gpu, at: at(from) })));
  const records = MEASURED.flatMap(({ gpu_id, customer_id, samples: ofGpu }) =>
    ofGpu.map(({ atMs, utilization_pct, power_draw_w }) =>
      sampleRecord(gpu_id, new Date(atMs).toISOString(), { customer_id, utilization_pct, power_draw_w }),
    ),
  );
  // In several imports, out of order.
  for (let first = 0; first < records.length; first += 90)
    await fleet.import(records.slice(first, first + 90));
  // Without telemetry: not counted.
  await fleet.import([gpuRecord('GPU-x', { at: at(0) }), xidRecord('GPU-x', at(1), 79)]);
});

const usage = async (query: Record<string, string>, access = ALL) =>
  bodyOf<{ groups: object[]; total: object; from: string; to: string }>(
    await fleet.get(`/api/v1/fleet-usage?${new URLSearchParams(query).toString()}`, access),
    'getFleetUsage',
  );

test('adds up the same as the oracle for any window, grouping, sort and caller', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -10, max: DAYS * 48 - 1 }),
      fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 60, max: DAYS * 48 })),
      fc.constantFrom('workspace', 'model', 'host'),
      fc.constantFrom('idle', 'busy', 'missing', 'energy', 'gpus', 'name'),
      fc.constantFrom(ALL, BOTH, OF_11, []),
      fc.constantFrom(1, 2, 100),
      async (from, length, groupBy, sort, access, size) => {
        // At the latest the begin of today: a half hour that has ended.
        const end = Math.min(from + length, (DAYS + 1) * 48);
        const window = { from: at(from, 60), to: at(end, 60) };
        const visible = MEASURED.filter(({ customer_id, workspace_id }) =>
          access.some(
            (entry) =>
              entry.customer_id === customer_id &&
              (entry.workspace_ids === 'all' || entry.workspace_ids.includes(workspace_id)),
          ),
        );
        const query = { ...window, group_by: groupBy, sort, page_size: String(size) };
        const expected = usageOf(visible, {
          fromMs: Date.parse(at(from)),
          toMs: Date.parse(at(end)),
          groupBy,
          sort,
          size,
        });
        expect(await usage(query, access)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test('a GPU-hour is busy, idle, missing or unmeasured', async () => {
  await fleet.import([
    gpuRecord('GPU-e', { at: at(0), workspace_id: 77, hostname: 'node-7', model: 'B200' }),
    sampleRecord('GPU-e', at(0, 1), { utilization_pct: 25, power_draw_w: 300 }),
    sampleRecord('GPU-e', at(1, 1), { power_draw_w: 100 }),
    sampleRecord('GPU-e', at(3, 1), { utilization_pct: 100 }),
  ]);
  const of = {
    gpu_count: 1,
    busy_gpu_hours: 0.625,
    idle_gpu_hours: 0.375,
    missing_gpu_hours: 1,
    unmeasured_gpu_hours: 0.5,
    energy_kwh: 0.2,
  };
  const query = { from: at(0), to: at(5), workspace_id: '77' };
  expect(await usage(query)).toEqual({
    from: at(0),
    to: at(5),
    groups: [{ customer_id: 1, workspace_id: 77, ...of }],
    total: of,
    group_count: 1,
  });
  expect((await usage({ ...query, group_by: 'host' })).groups).toEqual([
    { customer_id: 1, hostname: 'node-7', ...of },
  ]);
  expect((await usage({ ...query, group_by: 'model' })).groups).toEqual([{ model: 'B200', ...of }]);
  expect((await usage({ ...query, api_key_id: '5' })).groups).toEqual([]);
});

test('counts a day of another source before the GPU was first seen', async () => {
  await fleet.import([
    gpuRecord('GPU-f', { at: at(96), workspace_id: 78 }),
    gpuDayRecord('GPU-f', at(0).slice(0, 10), { samples: [0, ...new Array<number>(47).fill(1)] }),
  ]);
  const { groups } = await usage({ from: at(0), to: at(60), workspace_id: '78' });
  expect(groups).toMatchObject([{ busy_gpu_hours: 11.75, idle_gpu_hours: 11.75, missing_gpu_hours: 6 }]);
});

test('the default window is the last 24 hours, without the half hour that is not over', async () => {
  const end = () => new Date(Math.floor(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS).toISOString();
  const before = end();
  const { from, to } = await usage({});
  expect([before, end()]).toContain(to);
  expect(Date.parse(to) - Date.parse(from)).toBe(DAY_MS);
  expect((await usage({ to: '2100-01-01T00:00:00Z', from: at(0) })).to >= before).toBe(true);
  const future = await usage({ from: '2100-01-01T00:00:00Z' });
  expect(future.total).toMatchObject({ busy_gpu_hours: 0, missing_gpu_hours: 0, energy_kwh: null });
});

test.each([
  ['group_by=gpu', /group_by must be given once, as one of workspace, model, host/],
  ['sort=cost', /sort must be given once, as one of idle, busy, missing, energy, gpus, name/],
  ['page_size=1001', /page_size must be given once, as an integer from 1 to 1000/],
  ['from=2026-11-21', /from must be given once, as an RFC 3339 time/],
  ['to=now', /to must be given once, as an RFC 3339 time/],
  [`from=${at(1)}&to=${at(0)}`, /must not be later than to/],
  ['customer_id=0', /customer_id must be given once, as an integer of at least 1/],
  ['view=basic', /view is not a parameter of this endpoint; it takes .*group_by/],
])('rejects %s', async (query, message) => {
  const response = await fleet.get(`/api/v1/fleet-usage?${query}`, ALL);
  expect(await errorMessageOf(response, 'getFleetUsage', 400, 'invalid_query')).toMatch(message);
});

test('needs a token', async () => {
  const response = await fleet.get('/api/v1/fleet-usage', null);
  await errorMessageOf(response, 'getFleetUsage', 401, 'unauthorized');
});

test('an unchanged response is 304, also after an import of alerts', async () => {
  const path = `/api/v1/fleet-usage?from=${at(0)}&to=${at(48)}`;
  const { headers } = await fleet.get(path, ALL);
  const repetition = await fleet.get(path, ALL, { 'if-none-match': headers.get('etag') as string });
  expect(repetition.status).toBe(304);
});
