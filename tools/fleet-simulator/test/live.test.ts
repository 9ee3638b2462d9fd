import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { simulateHistory, simulateLive, type Clock, type SimulationOptions } from '../src/index.ts';
import { demoNow, demoTenants } from './support/demo-tenants.ts';
import { recordValidator, type AnyRecord } from './support/record-validator.ts';

const end = demoNow.getTime();
const options: SimulationOptions = {
  now: demoNow,
  tenants: demoTenants,
  hosts: 20,
  gpus: 40,
  alerts: 200,
  days: 3,
};

/** Runs the live feed with a fake clock that jumps from `from` to `to` instead of waiting. */
async function feed(from: number, to: number, live: { since?: Date } = {}): Promise<AnyRecord[]> {
  const stop = new AbortController();
  let time = from;
  const clock: Clock = {
    now: () => time,
    wait: async (milliseconds) => {
      if (time >= to) stop.abort();
      time = Math.min(to, time + milliseconds);
    },
  };
  const records: AnyRecord[] = [];
  for await (const line of simulateLive(options, { ...live, signal: stop.signal, clock })) {
    records.push(JSON.parse(line) as AnyRecord);
  }
  return records;
}

function timeOf(record: AnyRecord): number {
  return Date.parse((record['at'] ?? record['created_at']) as string);
}

function ofKind(records: AnyRecord[], kind: string): AnyRecord[] {
  return records.filter((record) => record.kind === kind);
}

test('continues the history: valid records in time order, a sample per GPU every 15 s, alerts 20 to 60 s apart', async () => {
  const records = await feed(end, end + 20 * MINUTE_MS);
  const problemWith = await recordValidator();
  expect([...new Set(records.map(problemWith))]).toEqual(['']);

  const dated = records.filter(({ kind }) => kind !== 'timeline_event');
  const times = dated.map(timeOf);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times[0]).toBeGreaterThan(end);
  expect(times.at(-1)).toBeLessThanOrEqual(end + 20 * MINUTE_MS);

  const perGpu = Map.groupBy(ofKind(records, 'gpu_sample'), (sample) => sample['gpu_id']);
  expect(perGpu.size).toBeGreaterThan(35);
  for (const samples of perGpu.values()) {
    const gaps = samples.slice(1).map((sample, i) => timeOf(sample) - timeOf(samples[i]!));
    expect(new Set(gaps)).toEqual(new Set([15_000]));
  }
  const alertTimes = ofKind(records, 'alert').map(timeOf);
  const gaps = alertTimes.slice(1).map((time, i) => time - alertTimes[i]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(20_000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(60_000);
  expect(ofKind(records, 'timeline_event').length).toBeGreaterThan(0);
  expect(ofKind(records, 'gpu_process').length).toBeGreaterThan(0);
});

test('only appends: no state changes, no records of the history, timelines of live alerts only', async () => {
  const history = new Set(simulateHistory(options));
  const records = await feed(end, end + 10 * MINUTE_MS);
  expect(ofKind(records, 'alert_state')).toEqual([]);
  expect(records.filter((record) => history.has(JSON.stringify(record)))).toEqual([]);
  const own = new Set(ofKind(records, 'alert').map(({ id }) => id));
  expect(ofKind(records, 'timeline_event').filter(({ alert_id }) => !own.has(alert_id))).toEqual([]);
});

test('samples continue the history without a gap or a jump', async () => {
  const last = new Map<unknown, AnyRecord>();
  for (const line of simulateHistory(options)) {
    if (line.startsWith('{"kind":"gpu_sample"')) {
      const sample = JSON.parse(line) as AnyRecord;
      last.set(sample['gpu_id'], sample);
    }
  }
  const next = Map.groupBy(
    ofKind(await feed(end, end + MINUTE_MS), 'gpu_sample'),
    (sample) => sample['gpu_id'],
  );
  let compared = 0;
  for (const [gpu, [first]] of next) {
    const before = last.get(gpu)!;
    expect(timeOf(first!) - timeOf(before)).toBe(15_000);
    if (before['temperature_c'] === null) continue;
    compared++;
    expect(Math.abs(Number(first!['temperature_c']) - Number(before['temperature_c']))).toBeLessThan(15);
    expect(first!['xid_last_code']).toBe(before['xid_last_code']);
  }
  expect(compared).toBeGreaterThan(20);
});

test('two consecutive runs give the same records as one run', async () => {
  const whole = await feed(end, end + 6 * MINUTE_MS);
  const middle = end + 3 * MINUTE_MS;
  const parts = [
    ...(await feed(end, middle)),
    ...(await feed(end + 6 * MINUTE_MS, end + 6 * MINUTE_MS, { since: new Date(middle) })),
  ];
  expect(parts).toEqual(whole);
});

test('backfills a gap of more than an hour with a sample every 5 minutes', async () => {
  const records = await feed(end + 3 * HOUR_MS, end + 3 * HOUR_MS, { since: demoNow });
  const [samples] = [...Map.groupBy(ofKind(records, 'gpu_sample'), (sample) => sample['gpu_id']).values()];
  const gaps = samples!.slice(1).map((sample, i) => timeOf(sample) - timeOf(samples![i]!));
  expect(new Set(gaps)).toEqual(new Set([5 * MINUTE_MS]));
  expect(samples!.length).toBe(36);
});

test('backfills only the last 24 h of a gap of days', async () => {
  const now = end + 6 * DAY_MS;
  const records = await feed(now, now + MINUTE_MS, { since: demoNow });
  const first = timeOf(records[0]!);
  expect(first).toBeGreaterThan(now - DAY_MS);
  expect(first).toBeLessThan(now - DAY_MS + 5 * MINUTE_MS);
  expect(timeOf(ofKind(records, 'gpu_sample').at(-1)!)).toBeGreaterThan(now + 30_000);
  expect(ofKind(records, 'alert').length).toBeGreaterThan(2_000);
  const codes = new Set(ofKind(records, 'gpu_sample').map(({ xid_last_code }) => xid_last_code));
  expect(codes.size).toBeGreaterThan(4);
});

test('rejects an invalid since', async () => {
  await expect(feed(end, end + MINUTE_MS, { since: new Date('never') })).rejects.toThrow(
    'since must be a valid date',
  );
});
