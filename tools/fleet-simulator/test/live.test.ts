import { expect, test } from '@jest/globals';
import { simulateHistory, simulateLive, type Clock, type SimulationOptions } from '../src/index.ts';
import { demoNow, demoTenants } from './support/demo-tenants.ts';
import { recordValidator, type AnyRecord } from './support/record-validator.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const end = demoNow.getTime();
const options: SimulationOptions = {
  now: demoNow,
  tenants: demoTenants,
  hosts: 20,
  gpus: 40,
  alerts: 200,
  days: 3,
};

/**
 * The feed between two moments of a clock that jumps where the real one would have to be waited for. The clock is
 * the one thing that stands in for the real one here: days cannot be waited for.
 */
async function feed(
  from: number,
  to: number,
  live: { since?: Date; liveStates?: boolean } = {},
): Promise<AnyRecord[]> {
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

test('it follows the history: valid records, in time order, every GPU each 15 s, alerts 20 to 60 s apart', async () => {
  const records = await feed(end, end + 20 * MINUTE);
  const problemWith = await recordValidator();
  expect([...new Set(records.map(problemWith))]).toEqual(['']);

  const dated = records.filter(({ kind }) => kind !== 'timeline_event');
  const times = dated.map(timeOf);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times[0]).toBeGreaterThan(end);
  expect(times.at(-1)).toBeLessThanOrEqual(end + 20 * MINUTE);

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

test('it only appends: no states, no record of the history again, timelines of its own alerts only', async () => {
  const history = new Set(simulateHistory(options));
  const records = await feed(end, end + 10 * MINUTE);
  expect(ofKind(records, 'alert_state')).toEqual([]);
  expect(records.filter((record) => history.has(JSON.stringify(record)))).toEqual([]);
  const own = new Set(ofKind(records, 'alert').map(({ id }) => id));
  expect(ofKind(records, 'timeline_event').filter(({ alert_id }) => !own.has(alert_id))).toEqual([]);
});

test('samples go on where the history ends', async () => {
  const last = new Map<unknown, AnyRecord>();
  for (const line of simulateHistory(options)) {
    if (line.startsWith('{"kind":"gpu_sample"')) {
      const sample = JSON.parse(line) as AnyRecord;
      last.set(sample['gpu_id'], sample);
    }
  }
  const next = Map.groupBy(ofKind(await feed(end, end + MINUTE), 'gpu_sample'), (sample) => sample['gpu_id']);
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

test('a restart goes on where the last run ended, and both together are one run', async () => {
  const whole = await feed(end, end + 6 * MINUTE);
  const middle = end + 3 * MINUTE;
  const parts = [
    ...(await feed(end, middle)),
    ...(await feed(end + 6 * MINUTE, end + 6 * MINUTE, { since: new Date(middle) })),
  ];
  expect(parts).toEqual(whole);
});

test('a gap past an hour is made up for at 5 minutes a sample', async () => {
  const records = await feed(end + 3 * HOUR, end + 3 * HOUR, { since: demoNow });
  const [samples] = [...Map.groupBy(ofKind(records, 'gpu_sample'), (sample) => sample['gpu_id']).values()];
  const gaps = samples!.slice(1).map((sample, i) => timeOf(sample) - timeOf(samples![i]!));
  expect(new Set(gaps)).toEqual(new Set([5 * MINUTE]));
  expect(samples!.length).toBe(36);
});

test('a gap of days is made up for from its last 24 h on', async () => {
  const now = end + 6 * DAY;
  const records = await feed(now, now + MINUTE, { since: demoNow });
  const first = timeOf(records[0]!);
  expect(first).toBeGreaterThan(now - DAY);
  expect(first).toBeLessThan(now - DAY + 5 * MINUTE);
  expect(timeOf(ofKind(records, 'gpu_sample').at(-1)!)).toBeGreaterThan(now + 30_000);
  expect(ofKind(records, 'alert').length).toBeGreaterThan(2_000);
  const codes = new Set(ofKind(records, 'gpu_sample').map(({ xid_last_code }) => xid_last_code));
  expect(codes.size).toBeGreaterThan(4);
});

test('with liveStates, states of earlier alerts change, and only of such as were told', async () => {
  const told = new Set(
    [...simulateHistory(options)]
      .map((line) => JSON.parse(line) as AnyRecord)
      .filter(({ kind }) => kind === 'alert')
      .map(({ id }) => id),
  );
  const records = await feed(end + 2 * DAY, end + 2 * DAY + 20 * MINUTE, {
    since: demoNow,
    liveStates: true,
  });
  const problemWith = await recordValidator();
  let changes = 0;
  for (const record of records) {
    if (record.kind === 'alert') told.add(record['id']);
    if (record.kind !== 'alert_state') continue;
    changes++;
    expect(problemWith(record)).toBe('');
    expect(told.has(record['alert_id'])).toBe(true);
    expect(timeOf(record)).toBeGreaterThan(end);
  }
  expect(changes).toBeGreaterThan(1_000);
});

test('an invalid since is refused', async () => {
  await expect(feed(end, end + MINUTE, { since: new Date('never') })).rejects.toThrow(
    'since must be a valid date',
  );
});
