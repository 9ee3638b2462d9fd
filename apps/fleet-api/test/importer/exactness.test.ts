import { ALERT_STATES, SEVERITIES } from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importBatches } from '../support/import-records.ts';
import {
  alertRecord,
  gpuDayRecord,
  gpuRecord,
  sampleRecord,
  timelineRecord,
  uuid,
  xidRecord,
} from '../support/records.ts';

const database = useFleetDatabase();

/** Yesterday's midnight, so that samples fall on both sides of half hours and days. */
const START = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000;
const HALF_HOUR = 1_800_000;
/** Each run uses its own customer. */
const RUNS = 10;
let customers = 0;
/** Cuts a list into batches of random sizes. */
const inBatches = <T>(list: fc.Arbitrary<T[]>): fc.Arbitrary<T[][]> =>
  fc.tuple(list, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 })).map(([items, sizes]) => {
    const batches: T[][] = [];
    for (let start = 0, n = 0; start < items.length; n += 1) {
      const size = sizes[n % sizes.length] as number;
      batches.push(items.slice(start, start + size));
      start += size;
    }
    return batches;
  });

const reading = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: null });
const sample = fc.record({
  gpu_id: fc.constantFrom('GPU-1', 'GPU-2', 'host|pci|guest'),
  // Few times around a midnight, so that samples coincide, arrive late and fall into two days.
  at: fc.integer({ min: -20, max: 20 }).map((n) => new Date(START + n * 700_000).toISOString()),
  utilization_pct: reading(fc.integer({ min: 0, max: 100 })),
  memory_used_mib: reading(fc.integer({ min: 0, max: 80_000 })),
  memory_total_mib: fc.constantFrom(null, 81_920),
  temperature_c: reading(fc.integer({ min: 20, max: 99 })),
  power_draw_w: reading(fc.integer({ min: 0, max: 700_000 }).map((milliwatts) => milliwatts / 1_000)),
  fan_pct: reading(fc.integer({ min: 0, max: 110 })),
  sm_clock_mhz: reading(fc.integer({ min: 0, max: 2_000 })),
  xid_last_code: fc.constantFrom(null, 0, 31, 79),
  tensor_active_pct: reading(fc.integer({ min: 0, max: 10_000 }).map((share) => share / 100)),
  pcie_rx_mb_per_second: reading(fc.integer({ min: 0, max: 64_000 })),
  energy_millijoules_total: reading(fc.integer({ min: 0, max: 1_000_000_000_000_000 })),
});

interface DayRow {
  gpu_id: string;
  day: string;
  samples: number[];
  utilization_sum: number[];
  utilization_n: number[];
  temperature_sum: number[];
  temperature_n: number[];
  power_sum: number[];
  power_n: number[];
  memory_used_n: number[];
  xid_reports: number[];
  memory_pct_sum: number;
  memory_pct_n: number;
  fan_sum: number;
  fan_n: number;
  sm_clock_n: number;
  tensor_active_sum: number;
  tensor_active_n: number;
  pcie_rx_sum: number;
  pcie_rx_n: number;
}

/** Returns the expected days of GPUs, computed from stored samples with plain loops. */
function daysOf(samples: Record<string, unknown>[]): Record<string, Record<string, unknown>> {
  const days: Record<string, Record<string, unknown>> = {};
  for (const row of samples) {
    const at = Date.parse(row.at as string);
    const dayMs = Math.floor(at / 86_400_000) * 86_400_000;
    const zeros = () => new Array<number>(48).fill(0);
    const day = (days[`${String(row.gpu_id)} ${new Date(dayMs).toISOString()}`] ??= {
      samples: zeros(),
      utilization_sum: zeros(),
      utilization_n: zeros(),
      temperature_sum: zeros(),
      temperature_n: zeros(),
      power_sum: zeros(),
      power_n: zeros(),
      memory_used_n: zeros(),
      xid_reports: zeros(),
      memory_pct_sum: 0,
      memory_pct_n: 0,
      fan_sum: 0,
      fan_n: 0,
      sm_clock_n: 0,
      tensor_active_sum: 0,
      tensor_active_n: 0,
      pcie_rx_sum: 0,
      pcie_rx_n: 0,
    }) as unknown as Omit<DayRow, 'gpu_id' | 'day'>;
    const slot = Math.floor((at - dayMs) / HALF_HOUR);
    const count = (into: number[], by = 1) => (into[slot] = (into[slot] ?? 0) + by);
    const number = (name: string) => row[name] as number | null;
    count(day.samples);
    for (const [name, column] of [
      ['utilization_pct', 'utilization'],
      ['temperature_c', 'temperature'],
      ['power_draw_w', 'power'],
    ] as const) {
      const value = number(name);
      if (value === null) continue;
      count(day[`${column}_sum`], value);
      count(day[`${column}_n`]);
    }
    const used = number('memory_used_mib');
    const total = number('memory_total_mib');
    if (used !== null) count(day.memory_used_n);
    if (used !== null && total !== null && total > 0) {
      day.memory_pct_sum += (used / total) * 100;
      day.memory_pct_n += 1;
    }
    if (number('xid_last_code') !== null) count(day.xid_reports);
    for (const [name, column] of [
      ['fan_pct', 'fan'],
      ['tensor_active_pct', 'tensor_active'],
      ['pcie_rx_mb_per_second', 'pcie_rx'],
    ] as const) {
      const value = number(name);
      if (value === null) continue;
      day[`${column}_sum`] += value;
      day[`${column}_n`] += 1;
    }
    if (number('sm_clock_mhz') !== null) day.sm_clock_n += 1;
  }
  return days;
}

/** Compares with a tolerance, because the order of floating-point additions differs. */
function expectClose(actual: unknown, expected: unknown): void {
  if (Array.isArray(expected)) {
    expected.forEach((member, index) => expectClose((actual as unknown[])[index], member));
  } else if (typeof expected === 'number') {
    expect(Math.abs((actual as number) - expected)).toBeLessThanOrEqual(
      1e-9 * Math.max(1, Math.abs(expected)),
    );
  } else expect(actual).toEqual(expected);
}

test('days equal the sums of their samples, in any batches, with repeated and late samples', async () => {
  await fc.assert(
    fc.asyncProperty(inBatches(fc.array(sample, { minLength: 1, maxLength: 60 })), async (batches) => {
      const customer = (customers += 1);
      const mine = { customer_id: customer, workspace_id: 1 };
      const gpus = ['GPU-1', 'GPU-2', 'host|pci|guest'].map((id) =>
        gpuRecord(id, { ...mine, at: new Date(START).toISOString() }),
      );
      const written = await importBatches(database.importerUrl, [
        gpus,
        ...batches.map((batch) =>
          batch.map(({ gpu_id, at, ...readings }) => ({ ...sampleRecord(gpu_id, at, readings), ...mine })),
        ),
      ]);
      // The first record of each GPU and time wins.
      const first = new Map<string, object>();
      for (const record of batches.flat()) {
        const key = `${record.gpu_id} ${record.at}`;
        if (!first.has(key)) first.set(key, record);
      }
      expect(written.written).toBe(first.size + 3);
      const stored = await rowsOf<Record<string, unknown>>(
        database.administratorUrl,
        `SELECT to_jsonb(s) ->> 'at' AS at, gpu_id, utilization_pct, memory_used_mib, memory_total_mib, temperature_c,
           power_draw_w, fan_pct, sm_clock_mhz, xid_last_code, tensor_active_pct, pcie_rx_mb_per_second,
           energy_millijoules_total FROM fleet.gpu_samples s WHERE customer_id = $1`,
        [customer],
      );
      expect(stored.map((row) => ({ ...row, at: new Date(row.at as string).toISOString() }))).toEqual(
        expect.arrayContaining([...first.values()]),
      );
      expect(stored).toHaveLength(first.size);
      const days = await rowsOf<DayRow>(
        database.administratorUrl,
        `SELECT *, to_jsonb(d) ->> 'day' AS day FROM fleet.gpu_days d WHERE customer_id = $1`,
        [customer],
      );
      const expected = daysOf(stored);
      expect(days.map((row) => `${row.gpu_id} ${new Date(row.day).toISOString()}`).sort()).toEqual(
        Object.keys(expected).sort(),
      );
      for (const row of days)
        for (const [column, value] of Object.entries(
          expected[`${row.gpu_id} ${new Date(row.day).toISOString()}`] ?? {},
        ))
          expectClose(row[column as keyof DayRow], value);
    }),
    { numRuns: RUNS },
  );
});

type Step = { alert: number } | { change: number; state: 'active' | 'ignored'; minute: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ alert: fc.nat(9) }),
  fc.record({
    change: fc.nat(9),
    state: fc.constantFrom(...ALERT_STATES),
    minute: fc.nat(20),
  }),
);
const CREATED = START - 3_600_000;
const alertOf = (n: number, customer: number) =>
  alertRecord(n, {
    customer_id: customer,
    workspace_id: [null, 1, 2][n % 3] ?? null,
    api_key_id: n % 4 === 0 ? null : n % 4,
    severity: SEVERITIES[n % 5],
    type: n % 2 === 0 ? 'gpu_ecc' : 'rogue_ebpf',
    created_at: new Date(CREATED - n * 7_000_000).toISOString(),
  });

test('counts equal the alerts, and past states are complete', async () => {
  await fc.assert(
    fc.asyncProperty(inBatches(fc.array(step, { minLength: 1, maxLength: 50 })), async (batches) => {
      const customer = (customers += 1);
      // Model: in a batch alerts precede changes, the later change wins, and each batch with a change increments seq.
      const alerts = new Map<number, { state: string; minute: number }>();
      const seen: Map<number, string>[] = [];
      for (const batch of batches) {
        let isChanged = false;
        for (const one of batch)
          if ('alert' in one && !alerts.has(one.alert)) {
            alerts.set(one.alert, { state: 'active', minute: -1 });
            isChanged = true;
          }
        for (const one of batch) {
          if (!('change' in one)) continue;
          const alert = alerts.get(one.change);
          if (!alert || one.minute <= alert.minute) continue;
          Object.assign(alert, { state: one.state, minute: one.minute });
          isChanged = true;
        }
        if (isChanged) seen.push(new Map([...alerts].map(([n, { state }]) => [n, state])));
      }
      await importBatches(
        database.importerUrl,
        batches.map((batch) =>
          batch.map((one) =>
            'alert' in one
              ? alertOf(one.alert, customer)
              : {
                  kind: 'alert_state',
                  customer_id: customer,
                  alert_id: uuid(one.change),
                  state: one.state,
                  at: new Date(CREATED + one.minute * 60_000).toISOString(),
                },
          ),
        ),
      );

      const [version] = await rowsOf<{ seq: number }>(
        database.administratorUrl,
        'SELECT coalesce(max(seq), 0) AS seq FROM fleet.data_versions WHERE customer_id = $1',
        [customer],
      );
      expect(version?.seq).toBe(seen.length);
      for (let seq = 1; seq <= seen.length; seq += 1) {
        const asOf = await rowsOf<{ doc: string; state: number }>(
          database.administratorUrl,
          `SELECT doc, state FROM fleet.alerts WHERE customer_id = $1 AND seq <= $2 AND state_seq <= $2
           UNION ALL
           SELECT doc, state FROM fleet.alert_past_states WHERE customer_id = $1 AND since_seq <= $2 AND $2 < until_seq`,
          [customer, seq],
        );
        const states = asOf.map(({ doc, state }) => {
          const item = JSON.parse(doc) as { id: string; state: string };
          expect(item.state).toBe(ALERT_STATES[state]);
          return [item.id, item.state];
        });
        expect(states.sort()).toEqual(
          [...(seen[seq - 1] ?? [])].map(([n, state]) => [uuid(n), state]).sort(),
        );
      }
      const counted = await rowsOf<{ row: string }>(
        database.administratorUrl,
        `SELECT row_to_json(c)::text AS row FROM (
           SELECT scope_kind, scope_id, grain, bucket, severity, state, type, n FROM fleet.alert_counts
           WHERE customer_id = $1 AND n <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7) AS c`,
        [customer],
      );
      const grouped = await rowsOf<{ row: string }>(
        database.administratorUrl,
        `SELECT row_to_json(c)::text AS row FROM (
           SELECT s.kind AS scope_kind, s.id AS scope_id, g.grain, date_bin(g.length, a.created_at, date_trunc('month', a.created_at, 'UTC'))::timestamptz(3) AS bucket,
                  s.severity, s.state, s.type, count(*) AS n
           FROM fleet.alerts a
           CROSS JOIN LATERAL (VALUES (0, 0, a.type, a.severity, a.state), (1, coalesce(a.workspace_id, 0), a.type, a.severity, a.state),
             (2, a.api_key_id, a.type, a.severity, a.state), (3, 0, '', a.severity, a.state),
             (4, coalesce(a.workspace_id, 0), '', a.severity, a.state), (5, 0, a.type, -1, -1),
             (6, a.api_key_id, '', a.severity, a.state), (7, coalesce(a.workspace_id, 0), a.type, -1, -1)) AS s (kind, id, type, severity, state)
           CROSS JOIN (VALUES (0, interval '31 days'), (1, interval '1 day'), (2, interval '1 hour')) AS g (grain, length)
           WHERE a.customer_id = $1 AND s.id IS NOT NULL AND g.grain <= CASE WHEN s.kind IN (1, 2, 6) THEN 1 ELSE 2 END
           GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7) AS c`,
        [customer],
      );
      expect(counted).toEqual(grouped);
    }),
    { numRuns: RUNS },
  );
});

test('health signals and XID events do not depend on batches or reconnects', async () => {
  const minute = (n: number) => new Date(START + n * 60_000).toISOString();
  const observation = fc.record({
    xid_last_code: fc.constantFrom(0, 0, 31, 63, 79, 149),
    throttle_reasons: fc.constantFrom(0, 8),
    ecc_double_bit_total: fc.constantFrom(0, 0, 0, 1),
    pcie_replays_total: fc.constantFrom(0, 3),
    temperature_c: fc.constantFrom(40, 86, 90),
  });
  await fc.assert(
    fc.asyncProperty(
      inBatches(fc.array(observation, { minLength: 2, maxLength: 40 })),
      fc.array(fc.tuple(fc.nat(40), fc.constantFrom(48, 79, 94, 149)), { maxLength: 5 }),
      async (batches, kernel) => {
        const states: Record<string, unknown>[] = [];
        for (const together of [false, true]) {
          const customer = (customers += 1);
          const mine = { customer_id: customer, workspace_id: 1 };
          const gpu = gpuRecord('GPU-1', {
            ...mine,
            at: minute(0),
            slowdown_temperature_c: 85,
            shutdown_temperature_c: 92,
          });
          const events = kernel.map(([n, code]) =>
            xidRecord('GPU-1', minute(n), code, { ...mine, message: 'NETIR_BER_EVENT Nonfatal' }),
          );
          let n = 0;
          const parts = batches.map((batch) =>
            batch.map((readings) => ({ ...sampleRecord('GPU-1', minute((n += 1)), readings), ...mine })),
          );
          // Once in many imports, each over its own connection, and once in one batch. XID events arrive late.
          if (together) await importBatches(database.importerUrl, [[gpu, ...parts.flat(), ...events]]);
          else
            for (const part of [[gpu], ...parts, events]) await importBatches(database.importerUrl, [part]);
          const [row] = await rowsOf<Record<string, unknown>>(
            database.administratorUrl,
            `SELECT health_state, latest, critical_until, degraded_until,
               (SELECT jsonb_agg(f ORDER BY f ->> 'rule') FROM jsonb_array_elements(health_signals) f
                WHERE (f ->> 'until')::timestamptz > (health_state ->> 'at')::timestamptz) AS signals,
               (SELECT jsonb_agg(jsonb_build_array(at, code) ORDER BY at, code) FROM fleet.gpu_xid_events e
                WHERE e.customer_id = g.customer_id) AS events
             FROM fleet.gpus g WHERE customer_id = $1`,
            [customer],
          );
          states.push(row ?? {});
        }
        expect(states[1]).toEqual(states[0]);
      },
    ),
    { numRuns: RUNS },
  );
});

test('importing the same records again changes nothing', async () => {
  const before = await fleetTables(database.administratorUrl);
  expect(before.alerts?.length).toBeGreaterThan(0);
  const customer = (customers += 1);
  const mine = { customer_id: customer, workspace_id: 1 };
  const at = (n: number) => new Date(START + n * 60_000).toISOString();
  const change = (state: string, n: number) => ({
    kind: 'alert_state',
    ...mine,
    alert_id: uuid(1),
    state,
    at: at(n),
  });
  const records = [
    { kind: 'workspace', ...mine, name: 'research' },
    gpuRecord('GPU-1', { ...mine, at: at(0), model: 'A' }),
    gpuRecord('GPU-1', { ...mine, at: at(1), model: 'B', hostname: '' }),
    gpuDayRecord('GPU-1', at(-2_000).slice(0, 10), { ...mine, power_draw_w: new Array(48).fill(9) }),
    { ...sampleRecord('GPU-1', at(2), { power_draw_w: 68.347, xid_last_code: 79 }), ...mine },
    { ...sampleRecord('GPU-1', at(1), { xid_last_code: 0 }), ...mine },
    xidRecord('GPU-1', at(3), 31, mine),
    { kind: 'gpu_process', ...mine, gpu_id: 'GPU-1', pid: 7, started_at: at(0), at: at(5), name: 'later' },
    { kind: 'gpu_process', ...mine, gpu_id: 'GPU-1', pid: 7, started_at: at(0), at: at(4), name: 'sooner' },
    { kind: 'gpu_workload', ...mine, gpu_id: 'GPU-1', at: at(5), name: 'pod', usage_category: 'later' },
    { kind: 'gpu_workload', ...mine, gpu_id: 'GPU-1', at: at(4), name: 'pod', usage_category: 'sooner' },
    { kind: 'host', ...mine, at: at(1), hostname: 'host-1', cpus: 96 },
    { kind: 'host', ...mine, at: at(0), hostname: 'host-1', cpus: 48, kernel: '6.8' },
    { kind: 'host_sample', ...mine, at: at(2), hostname: 'host-1', cpu_load_1m: 0.1, forks_per_second: null },
    {
      kind: 'host_day',
      ...mine,
      day: at(-2_000).slice(0, 10),
      hostname: 'host-1',
      samples: 3,
      cpu_load_1m: 2,
    },
    { kind: 'container', ...mine, at: at(5), container_id: 'c', hostname: 'host-2', image: 'later' },
    {
      kind: 'container',
      ...mine,
      at: at(4),
      container_id: 'c',
      hostname: 'host-2',
      gpu_ids: ['GPU-1'],
      mps: true,
    },
    { kind: 'vm', ...mine, at: at(5), vm_id: 'v', hostname: 'host-2' },
    { kind: 'process', ...mine, at: at(5), hostname: 'host-2', pid: 8, started_at: at(0), container_id: 'c' },
    { kind: 'agent_session', ...mine, at: at(5), session_id: 's', hostname: 'host-2', agent_version: '1' },
    alertRecord(1, { ...mine, created_at: at(0), session_id: 's', host_id: 'h' }),
    change('ignored', 1),
    change('active', 2),
    timelineRecord(1, at(1), mine),
  ];
  const once = await importBatches(database.importerUrl, [records]);
  expect(once).toMatchObject({ written: records.length, duplicate: 0, rejects: [] });
  const after = await fleetTables(database.administratorUrl);
  expect(after).not.toEqual(before);
  for (const batches of [[records], records.map((record) => [record]), [[...records].reverse()]]) {
    const again = await importBatches(database.importerUrl, batches);
    expect(again).toMatchObject({ written: 0, duplicate: records.length, rejects: [] });
    expect(await fleetTables(database.administratorUrl)).toEqual(after);
  }
});

test('an equal record is a duplicate if its reading is halfway between two values of the type real', async () => {
  const customer_id = ++customers;
  const at = new Date(START).toISOString();
  // The decimal text of both numbers is below the middle, which is the number itself.
  const records = [
    gpuRecord('GPU-1', { customer_id, at, slowdown_temperature_c: 168.07186126708984 }),
    sampleRecord('GPU-1', at, { customer_id, power_draw_w: 103.09350967407227 }),
  ];
  const again = records.map((record) => ({ ...record }));
  expect(await importBatches(database.importerUrl, [records])).toMatchObject({ written: 2, rejects: [] });
  expect(await importBatches(database.importerUrl, [again])).toMatchObject({ duplicate: 2, rejects: [] });
  const [, sample] = again;
  const other = { ...sample, power_draw_w: 103.09352 };
  expect(await importBatches(database.importerUrl, [[other]])).toMatchObject({ rejected: 1 });
});
