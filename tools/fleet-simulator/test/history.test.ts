import { DAY_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { createHash } from 'node:crypto';
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
const records = [...simulateHistory(small)].map((line) => JSON.parse(line) as AnyRecord);

function digest(options: SimulationOptions): string {
  const hash = createHash('sha256');
  for (const line of simulateHistory(options)) hash.update(line).update('\n');
  return hash.digest('hex');
}

test('the same options give the same bytes; another seed, time, tenant or size gives different ones', () => {
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
])('a fleet that is %s consists of valid import records', async (_name, options: SimulationOptions) => {
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
  // The day in which samples begin has a partial record, unless they begin at midnight.
  const partOfDay = options.now.getTime() % DAY_MS === 0 ? 0 : 1;
  expect(counts['gpu_day']).toBe(options.gpus! * (options.days! - 1 + partOfDay));
  expect(counts['alert'] ?? 0).toBe(options.alerts);
});

test('records are grouped by kind: workspaces, hosts, processes, GPUs, days, samples with XIDs, then alerts', () => {
  const stage = [
    'workspace',
    'host',
    'host_day',
    'host_sample',
    'process',
    'gpu',
    'gpu_day',
    'gpu_sample',
    'alert',
  ];
  const stageOf: Record<string, string> = {
    container: 'process',
    agent_session: 'process',
    vm: 'process',
    xid_event: 'gpu_sample',
    gpu_process: 'gpu_sample',
    timeline_event: 'alert',
  };
  const stages = records.map(({ kind }) => stage.indexOf(stageOf[kind] ?? kind));
  expect(stages).toEqual(stages.toSorted((one, other) => one - other));
});

test('host readings follow a daily cycle, with equal fork and exit rates', () => {
  const samples = records.filter(({ kind }) => kind === 'host_sample');
  const hosts = Map.groupBy(samples, ({ hostname }) => hostname);
  expect(hosts.size).toBeGreaterThan(1);
  for (const own of hosts.values()) {
    const percents = own.map((sample) => Number(sample['cpu_utilization_pct']));
    expect(Math.max(...percents)).toBeGreaterThan(Math.min(...percents) + 10);
    for (const sample of own) {
      expect(Math.abs(Number(sample['forks_per_second']) - Number(sample['exits_per_second']))).toBeLessThan(
        0.2,
      );
    }
  }
});

test('processes on GPUs have the pod and owner of their job', () => {
  const processes = records.filter(({ kind }) => kind === 'gpu_process');
  const inPods = processes.filter((process) => 'pod' in process);
  expect(inPods.length).toBeGreaterThan(processes.length / 2);
  for (const process of inPods) expect([process['namespace'], process['owner']]).not.toContain('');
});

test('a GPU that stops reporting under load has an observation of its process from its last minutes', () => {
  const large = simulateHistory({ ...small, hosts: 64, gpus: 256, alerts: 0, days: 2 });
  const ofGpus = Map.groupBy(
    [...large]
      .filter((line) => /^\{"kind":"gpu_(sample|process)"/.test(line))
      .map((line) => JSON.parse(line) as AnyRecord),
    ({ gpu_id }) => gpu_id,
  );
  const atOf = (record: AnyRecord) => Date.parse(record['at'] as string);
  const lost = [...ofGpus.values()].flatMap((ofGpu) => {
    const samples = ofGpu.filter(({ kind }) => kind === 'gpu_sample');
    const last = samples.at(-1);
    if (last === undefined || atOf(last) > demoNow.getTime() - 10 * MINUTE_MS) return [];
    if (Number(last['utilization_pct']) < 20) return [];
    const process = ofGpu.findLast(({ kind }) => kind === 'gpu_process');
    return [atOf(last) - (process === undefined ? 0 : atOf(process))];
  });
  expect(lost.length).toBeGreaterThan(0);
  expect(Math.max(...lost)).toBeLessThanOrEqual(5 * MINUTE_MS);
});

test('containers and processes have a first and a last observation', () => {
  const containers = Map.groupBy(
    records.filter(({ kind }) => kind === 'container'),
    (container) => container['container_id'],
  );
  const lengths = [...containers.values()].map((observations) => {
    expect(observations).toHaveLength(2);
    const [first, last] = observations.map(({ at }) => Date.parse(at as string)) as [number, number];
    return last - first;
  });
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...lengths)).toBeGreaterThan(DAY_MS);
  const valuesOf = (is: (record: AnyRecord) => boolean) =>
    new Set(records.filter(({ kind }) => kind === 'container').map(is)).size;
  expect(valuesOf(({ gpu_ids }) => (gpu_ids as string[]).length > 0)).toBe(2);
  expect(valuesOf(({ mps }) => mps === true)).toBe(2);
  const processes = records.filter(({ kind }) => kind === 'process');
  expect(new Set(processes.map((process) => 'container_id' in process)).size).toBe(2);
  for (const process of processes.filter((one) => 'container_id' in one)) {
    expect(containers.has(process['container_id'])).toBe(true);
  }
});

test('the XIDs of faults raise alerts, in events and in samples; those of programs do not', () => {
  const raising = (kind: string) =>
    new Set(
      records
        .filter((record) => record.kind === kind && record['raise_alert'] === true)
        .map((record) => Number(record['code'] ?? record['xid_last_code'])),
    );
  const [ofEvents, ofSamples] = [raising('xid_event'), raising('gpu_sample')];
  expect([48, 79].filter((code) => !ofEvents.has(code))).toEqual([]);
  expect(ofSamples.size).toBeGreaterThan(0);
  for (const code of [0, 13, 31, 43, 45]) expect(ofEvents.has(code) || ofSamples.has(code)).toBe(false);
});

test('alerts refer to existing agent sessions', () => {
  const of = (kind: string) =>
    new Set(records.filter((record) => record.kind === kind).map(({ session_id }) => session_id));
  const [existing, referenced] = [of('agent_session'), of('alert')];
  expect([...referenced].filter((session) => existing.has(session)).length).toBeGreaterThan(
    referenced.size / 2,
  );
});

test('busy GPUs have a higher temperature, power draw, memory use and clock', () => {
  const samples = records.filter(
    ({ kind, temperature_c }) => kind === 'gpu_sample' && temperature_c !== null,
  );
  const mean = (field: string, busy: boolean) => {
    const values = samples
      .filter(({ utilization_pct }) => (busy ? Number(utilization_pct) > 60 : utilization_pct === 0))
      .map((sample) => Number(sample[field]));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const measured = ['temperature_c', 'power_draw_w', 'memory_used_mib', 'sm_clock_mhz'];
  const activity = ['tensor_active_pct', 'dram_active_pct', 'pcie_tx_mb_per_second', 'pcie_rx_mb_per_second'];
  for (const field of [...measured, ...activity]) {
    expect(mean(field, true)).toBeGreaterThan(mean(field, false) * 1.2);
  }
});

test('energy counters grow with the power draw', () => {
  const samples = records.filter(
    ({ kind, energy_millijoules_total: energy }) => kind === 'gpu_sample' && energy !== null,
  );
  const gpus = Map.groupBy(samples, ({ gpu_id }) => gpu_id);
  expect(gpus.size).toBeGreaterThan(1);
  for (const ofGpu of gpus.values()) {
    const readings = ofGpu.map((sample) => ({
      atSeconds: Date.parse(String(sample['at'])) / 1_000,
      kilojoules: Number(sample['energy_millijoules_total']) / 1e6,
    }));
    for (const [i, now] of readings.entries()) {
      const before = readings[i - 1] ?? { atSeconds: 0, kilojoules: 0 };
      // The driver is loaded again at the start of a week.
      if (now.kilojoules > 1_000) expect(now.kilojoules).toBeGreaterThan(before.kilojoules);
      const maxKilowatts = 2;
      expect(now.kilojoules - before.kilojoules).toBeLessThan(
        maxKilowatts * (now.atSeconds - before.atSeconds),
      );
    }
  }
});

test.each([
  [{ hosts: 0 }, /hosts must be an integer from 1/],
  [{ gpus: 10 }, /gpus must be an integer from 20/],
  [{ days: 1 }, /days must be an integer from 2/],
  [{ seed: 1.5 }, /seed must be an integer/],
  [{ now: new Date('yesterday') }, /now must be a valid date/],
])('rejects %j', (change, reason) => {
  expect(() => [...simulateHistory({ ...small, ...change })]).toThrow(reason);
});
