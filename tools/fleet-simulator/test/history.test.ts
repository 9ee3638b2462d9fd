import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { simulateHistory, type SimulationOptions } from '../src/index.ts';
import { demoNow, demoTenants } from './support/demo-tenants.ts';
import { recordValidator, type AnyRecord } from './support/record-validator.ts';

const small: SimulationOptions = {
  now: demoNow,
  tenants: demoTenants,
  hosts: 20,
  gpus: 40,
  alerts: 400,
  days: 5,
};

function digest(options: SimulationOptions): string {
  const hash = createHash('sha256');
  for (const line of simulateHistory(options)) hash.update(line).update('\n');
  return hash.digest('hex');
}

test('the same options give the same bytes, another seed, time or tenant gives others', () => {
  const once = digest(small);
  expect(digest({ ...small })).toBe(once);
  const later = new Date(demoNow.getTime() + 1_000);
  const others = [{ seed: 2 }, { now: later }, { tenants: demoTenants.slice(0, 1) }, { alerts: 401 }];
  const digests = others.map((change) => digest({ ...small, ...change }));
  expect(new Set([once, ...digests]).size).toBe(5);
});

test.each([
  ['small', small],
  [
    'one GPU of one workspace',
    { ...small, hosts: 1, gpus: 1, alerts: 3, days: 2, tenants: demoTenants.slice(1) },
  ],
  ['at midnight', { ...small, now: new Date('2026-11-21T00:00:00Z'), alerts: 0 }],
  ['uneven', { ...small, hosts: 7, gpus: 23, alerts: 99 }],
])(
  'a fleet that is %s consists of records that the importer takes',
  async (_name, options: SimulationOptions) => {
    const problemWith = await recordValidator();
    const problems = new Set<string>();
    const counts: Record<string, number> = {};
    for (const line of simulateHistory(options)) {
      const record = JSON.parse(line) as AnyRecord;
      problems.add(problemWith(record));
      counts[record.kind] = (counts[record.kind] ?? 0) + 1;
    }
    expect([...problems]).toEqual(['']);
    expect(counts['gpu']).toBe(options.gpus);
    expect(counts['gpu_day']).toBe(options.gpus! * (options.days! - 1));
    expect(counts['alert'] ?? 0).toBe(options.alerts);
  },
);

test('records come kind by kind: workspaces, GPUs, days, samples among XIDs and processes, then alerts', () => {
  const stage = ['workspace', 'gpu', 'gpu_day', 'gpu_sample', 'alert'];
  const stageOf: Record<string, string> = {
    xid_event: 'gpu_sample',
    gpu_process: 'gpu_sample',
    timeline_event: 'alert',
  };
  const kinds = [...simulateHistory(small)].map((line) => (JSON.parse(line) as AnyRecord).kind);
  const stages = kinds.map((kind) => stage.indexOf(stageOf[kind] ?? kind));
  expect(stages).toEqual(stages.toSorted((one, other) => one - other));
});

test('a GPU that works is warmer, draws more and has its memory filled', () => {
  const samples = [...simulateHistory(small)]
    .map((line) => JSON.parse(line) as AnyRecord)
    .filter(({ kind, temperature_c }) => kind === 'gpu_sample' && temperature_c !== null);
  const mean = (field: string, busy: boolean) => {
    const values = samples
      .filter(({ utilization_pct }) => (busy ? Number(utilization_pct) > 60 : utilization_pct === 0))
      .map((sample) => Number(sample[field]));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  for (const field of ['temperature_c', 'power_draw_w', 'memory_used_mib', 'sm_clock_mhz']) {
    expect(mean(field, true)).toBeGreaterThan(mean(field, false) * 1.2);
  }
});

test.each([
  [{ hosts: 0 }, /hosts must be a whole number from 1/],
  [{ gpus: 10 }, /gpus must be a whole number from 20/],
  [{ days: 1 }, /days must be a whole number from 2/],
  [{ seed: 1.5 }, /seed must be a whole number/],
  [{ now: new Date('yesterday') }, /now must be a valid date/],
])('%j is refused', (change, reason) => {
  expect(() => [...simulateHistory({ ...small, ...change })]).toThrow(reason);
});
