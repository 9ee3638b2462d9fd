import { type Access, DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { useFleetService } from '../../support/fleet-service.ts';
import { gpuDayRecord, gpuRecord, sampleRecord } from '../../support/records.ts';
import { bodyOf, errorMessageOf } from '../../support/responses.ts';
import {
  ALL,
  COMPOSITE_ID,
  minutesAgo,
  NOW,
  OF_11,
  OTHER,
  statusRecords,
} from '../../support/status-fleet.ts';

interface History {
  from: string;
  to: string;
  step_seconds: number;
  readings: Record<string, (number | null)[]> & { at: never };
  jobs: { name: string }[];
}

/** Half past an hour of yesterday. */
const START = Math.floor(NOW / DAY_MS) * DAY_MS - DAY_MS + 30 * MINUTE_MS;
const at = (minute: number) => new Date(START + minute * MINUTE_MS).toISOString();
const dayAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString().slice(0, 10);

const fleet = useFleetService();
beforeAll(() =>
  fleet.import([
    ...statusRecords(),
    gpuRecord('GPU-h', { hostname: 'node-1', at: minutesAgo(60 * 24 * 60) }),
    gpuDayRecord('GPU-h', dayAgo(40), { power_draw_w: Array(48).fill(300), fan_pct: 40 }),
    sampleRecord('GPU-h', at(0.25), {
      utilization_pct: 10,
      memory_used_mib: 512,
      temperature_c: 40,
      fan_pct: 30,
    }),
    sampleRecord('GPU-h', at(0.5), { utilization_pct: 20.5, temperature_c: 41, sm_clock_mhz: 1_980 }),
    sampleRecord('GPU-h', at(2), { power_draw_w: 250, memory_temperature_c: 60 }),
    {
      kind: 'gpu_process',
      customer_id: 1,
      at: at(1),
      gpu_id: 'GPU-h',
      pid: 9,
      started_at: at(-60),
      name: 'python',
      job: 'j-1',
      owner: 'ada',
    },
  ]),
);

const history = async (path: string, access = ALL) =>
  bodyOf<History>(await fleet.get(`/api/v1/gpu-history/${path}`, access), 'getGpuHistory');

test('a window has even steps with the means of all readings, and its jobs', async () => {
  expect(await history(`GPU-h?from=${at(0)}&to=${at(3)}`)).toEqual({
    gpu_id: 'GPU-h',
    from: at(0),
    to: at(3),
    step_seconds: 60,
    readings: {
      at: [at(0), at(1), at(2)],
      utilization_pct: [15.25, null, null],
      memory_used_gb: [0.5, null, null],
      temperature_c: [40.5, null, null],
      power_draw_w: [null, null, 250],
      fan_pct: [30, null, null],
      sm_clock_mhz: [1_980, null, null],
      memory_temperature_c: [null, null, 60],
    },
    jobs: [
      {
        gpu_id: 'GPU-h',
        kind: 'process',
        pid: 9,
        name: 'python',
        description: '',
        usage_category: '',
        namespace: '',
        pod: '',
        job: 'j-1',
        owner: 'ada',
        first_seen: at(1),
        last_seen: at(1),
        is_running: false,
      },
    ],
  });
});

test('a window is widened to whole steps', async () => {
  const { from, to, readings, jobs } = await history(`GPU-h?from=${at(0.3)}&to=${at(0.4)}`);
  expect([from, to, readings['utilization_pct'], jobs]).toEqual([at(0), at(1), [15.25], []]);
});

test.each([
  ['6 hours', 6 / 24, 60],
  ['24 hours', 1, 300],
  ['4 days', 4, 900],
  ['30 days', 30, 7_200],
  ['13 months', 396, 86_400],
  ['50 years', 50 * 365, 46 * 86_400],
])('%s have at most 400 steps', async (_of, days, step) => {
  const from = new Date(NOW - days * DAY_MS).toISOString();
  const { readings, step_seconds: seconds } = await history(`GPU-h?from=${from}&to=${minutesAgo(0)}`);
  const [all, ...others] = Object.values(readings).map(({ length }) => length);
  expect(seconds).toBe(step);
  expect(all).toBeLessThanOrEqual(400);
  expect(new Set([all, ...others]).size).toBe(1);
});

test('a long window has the means of half hours, and those of the day of other readings', async () => {
  const day = dayAgo(40);
  const { step_seconds: step, readings } = await history(
    `GPU-h?from=${day}T00:00:00Z&to=${dayAgo(40 - 7)}T00:00:00Z`,
  );
  expect(step).toBe(1_800);
  expect(readings['power_draw_w']?.slice(46, 50)).toEqual([300, 300, null, null]);
  expect(readings['fan_pct']?.slice(46, 50)).toEqual([40, 40, null, null]);
  expect(readings['tensor_active_pct']).toBeUndefined();
});

test('a short window without samples has half hours', async () => {
  const day = dayAgo(40);
  expect(await history(`GPU-h?from=${day}T00:10:00Z&to=${day}T01:00:00Z`)).toMatchObject({
    from: `${day}T00:00:00.000Z`,
    to: `${day}T01:00:00.000Z`,
    step_seconds: 1_800,
    readings: { utilization_pct: [50, 50], temperature_c: [40, 40], memory_used_gb: [null, null] },
  });
});

test('the default window is the last 24 hours, and composite ids work raw and percent-encoded', async () => {
  const all = await history(encodeURIComponent(COMPOSITE_ID));
  expect(all).toMatchObject({ gpu_id: COMPOSITE_ID, step_seconds: 300, jobs: [] });
  expect(Date.parse(all.to) - Date.parse(all.from)).toBeLessThanOrEqual(DAY_MS + 5 * MINUTE_MS);
  expect(await history(COMPOSITE_ID)).toMatchObject({ gpu_id: COMPOSITE_ID });
  // The job of a missing GPU.
  expect((await history('GPU-c')).jobs).toMatchObject([
    { name: 'train-0', owner: 'research', is_running: false },
  ]);
});

test.each([
  ['at the begin of a half hour', at(0), at(0)],
  ['within a half hour', at(1.5), at(1.5)],
  ['after now', '2100-01-01T00:00:00Z', '2101-01-01T00:00:00Z'],
])('an empty window %s has no steps', async (_place, from, to) => {
  const { readings } = await history(`GPU-h?from=${from}&to=${to}`);
  expect(readings).toEqual({
    at: [],
    utilization_pct: [],
    memory_used_gb: [],
    temperature_c: [],
    power_draw_w: [],
  });
});

test('all of time has times of four-digit years', async () => {
  const { from, to } = await history('GPU-h?from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59Z');
  expect([from, to]).toEqual([expect.stringMatching(/^19(?:69|70)-/), expect.stringMatching(/^20\d\d-/)]);
});

test.each<[string, Access]>([
  ['GPU-x', ALL],
  ['00000000:9D:00.0', ALL],
  ['GPU-a', OF_11],
  ['GPU-a', OTHER],
  ['GPU-f', ALL],
])('there is no GPU %s for %j', async (id, access) => {
  const response = await fleet.get(`/api/v1/gpu-history/${id}`, access);
  expect(await errorMessageOf(response, 'getGpuHistory', 404, 'not_found')).toMatch(/^There is no GPU /);
});

test.each([
  ['from=today', /from must be given once/],
  ['to=today', /to must be given once/],
  [`from=${minutesAgo(1)}&to=${minutesAgo(2)}`, /must not be later than to/],
  ['step=60', /step is not a parameter of this endpoint; it takes from, to/],
])('rejects %s', async (query, message) => {
  const response = await fleet.get(`/api/v1/gpu-history/GPU-a?${query}`, ALL);
  expect(await errorMessageOf(response, 'getGpuHistory', 400, 'invalid_query')).toMatch(message);
});

test('a request without a token is rejected', async () => {
  await errorMessageOf(
    await fleet.get('/api/v1/gpu-history/GPU-a', null),
    'getGpuHistory',
    401,
    'unauthorized',
  );
});
