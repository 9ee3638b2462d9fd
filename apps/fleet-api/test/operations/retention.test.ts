import { setTimeout as sleep } from 'node:timers/promises';
import type { Access, AlertListItem } from '@gpu-observatory/domain-types';
import { withClient } from '@gpu-observatory/embedded-database';
import { OwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { createPartitionsAhead } from '../../src/operations/partitions/partitions-ahead.ts';
import { imitateCitus } from '../support/citus-catalog.ts';
import { bodyOf } from '../support/responses.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import {
  alertRecord,
  alertStateRecord,
  gpuRecord,
  minutesAgo,
  sampleRecord,
  uuid,
  xidRecord,
} from '../support/records.ts';
import { KEPT, keptSince, retain } from '../support/retention.ts';

const DAY = 24 * 60;
/** Half a month apart over five months. */
const ALERTS = Array.from({ length: 10 }, (_unused, n) => n * 15 * DAY + 1);
const CALLERS: Access[] = [
  [{ customer_id: 1, workspace_ids: 'all' }],
  [{ customer_id: 1, workspace_ids: [10] }],
  [
    { customer_id: 1, workspace_ids: 'all' },
    { customer_id: 2, workspace_ids: [11] },
  ],
];
const EVERYTHING = CALLERS[2] as Access;

let fleet: FleetService;

beforeEach(async () => {
  fleet = await startFleetService();
  await fleet.import([
    ...ALERTS.flatMap((minutes, n) =>
      [1, 2].map((customerId) =>
        alertRecord(customerId * 100 + n, {
          customer_id: customerId,
          workspace_id: n % 3 === 0 ? null : 10 + (n % 2),
          api_key_id: n % 2 === 0 ? 7 : null,
          severity: ['critical', 'high', 'info'][n % 3],
          created_at: minutesAgo(minutes),
        }),
      ),
    ),
    gpuRecord('GPU-1', { at: minutesAgo(130 * DAY) }),
    ...[1, 6, 9, 40].map((days) => sampleRecord('GPU-1', minutesAgo(days * DAY), { utilization_pct: days })),
    ...[1, 40, 120].map((days) => xidRecord('GPU-1', minutesAgo(days * DAY), 31)),
  ]);
  await fleet.import([alertStateRecord(102, 'ignored'), alertStateRecord(109, 'ignored')]);
});

afterEach(() => fleet.stop());

const apply = (retention = KEPT, options: Parameters<typeof retain>[2] = {}) =>
  retain(fleet.database.ownerUrl, retention, options);

/** Waits until a session of this database has sent a statement as its last one. */
async function waitForStatement(statement: string): Promise<void> {
  const text = 'SELECT FROM pg_stat_activity WHERE datname = current_database() AND query = $1';
  while ((await rowsOf(fleet.database.administratorUrl, text, [statement])).length === 0) await sleep(50);
}

const get = async <Body>(path: string, operationId: string, access: Access) =>
  bodyOf<Body>(await fleet.get(path, access), operationId);
const list = (access: Access, query = '') =>
  get<{ alerts: AlertListItem[]; total_size: number }>(
    `/api/v1/alerts/?page_size=10000${query}`,
    'listAlerts',
    access,
  );
const sum = (groups: { count: number }[]) => groups.reduce((total, { count }) => total + count, 0);

/** The list, its total, the summary and the trend, which must be of the same alerts. */
async function expectAgreement(access: Access, query = ''): Promise<AlertListItem[]> {
  const { alerts, total_size } = await list(access, query);
  const { summary } = await get<{ summary: Record<string, { count: number }[]> }>(
    `/api/v1/alerts:summary?${query.slice(1)}`,
    'summarizeAlerts',
    access,
  );
  const { points } = await get<{ points: { count: number }[] }>(
    `/api/v1/alerts:severityTrend?${query.slice(1)}`,
    'trendAlerts',
    access,
  );
  const counts = [total_size, ...['severity', 'type', 'state'].map((column) => sum(summary[column] ?? []))];
  expect([...counts, sum(points)]).toEqual(counts.concat(0).map(() => alerts.length));
  if (query === '') {
    const { metrics } = await get<{ metrics: { alerts_by_severity: { value: number }[] } }>(
      `/api/v1/metrics?from=${minutesAgo(200 * DAY)}`,
      'getMetrics',
      access,
    );
    expect(metrics.alerts_by_severity.reduce((total, { value }) => total + value, 0)).toBe(alerts.length);
  }
  return alerts;
}

test('drops whole months, as a dry run reports; totals, summaries and trends equal the remaining alerts', async () => {
  const before = await expectAgreement(EVERYTHING);
  expect(before).toHaveLength(
    ALERTS.length + ALERTS.filter((_minutes, n) => n % 3 === 0 || n % 2 === 1).length,
  );
  const since = (await keptSince(fleet.database.ownerUrl)).toISOString();
  const tablesBefore = await fleetTables(fleet.database.administratorUrl);
  const planned = await apply(KEPT, { dryRun: true });
  expect(await fleetTables(fleet.database.administratorUrl)).toEqual(tablesBefore);

  const { dropped, pruned } = await apply();

  const partitionsOf = (some: typeof dropped) => some.map(({ partition }) => partition);
  expect(partitionsOf(planned.dropped)).toEqual(partitionsOf(dropped));
  expect(planned.pruned).toEqual(pruned);
  expect(dropped.filter(({ table }) => table === 'alerts').length).toBeGreaterThan(1);
  for (const access of CALLERS) {
    const alerts = await expectAgreement(access);
    expect(alerts.map(({ created_at }) => created_at >= since)).not.toContain(false);
    for (const query of [
      '&api_key_id=7',
      `&from=${minutesAgo(100 * DAY)}`,
      `&to=${minutesAgo(20 * DAY)}`,
      '&filter[title][contains]=1',
    ])
      await expectAgreement(access, query);
  }
  expect((await list(EVERYTHING)).alerts).toEqual(before.filter(({ created_at }) => created_at >= since));
  // A second time there is nothing to do.
  const tables = await fleetTables(fleet.database.administratorUrl);
  expect((await apply()).dropped).toEqual([]);
  expect(await fleetTables(fleet.database.administratorUrl)).toEqual(tables);
});

test('drops partitions of tables that Citus distributes in one transaction; a reader makes it try again', async () => {
  await imitateCitus(fleet.database.administratorUrl);
  await withClient(fleet.database.apiUrl, async (reader) => {
    await reader.query('BEGIN; SELECT FROM fleet.alerts LIMIT 1');
    const applied = apply();
    await waitForStatement('ROLLBACK TO SAVEPOINT attempt');
    await reader.query('COMMIT');
    const { dropped } = await applied;
    expect(dropped.length).toBeGreaterThan(1);
    expect(dropped.map(({ bytes }) => bytes > 0)).not.toContain(false);
  });
  await expectAgreement(EVERYTHING);
  expect((await apply()).dropped).toEqual([]);
});

test('keeps each kind for its own period; rollups outlive their samples', async () => {
  await apply({ ...KEPT, rollups: '1 months', samples: '7 days' });
  const rows = (table: string) =>
    rowsOf(fleet.database.administratorUrl, `SELECT FROM fleet.${table}`).then(({ length }) => length);
  expect(await rows('gpu_samples')).toBe(2);
  expect(await rows('gpu_days')).toBeGreaterThanOrEqual(3); // whole months
  expect(await rows('gpu_xid_events')).toBe(2);
});

test('rejects records in dropped partitions, also after the period grows', async () => {
  await apply();
  await apply({ alerts: '13 months', events: '13 months', rollups: '13 months', samples: '30 days' });
  const old = await fleet.import([
    alertRecord(900, { created_at: minutesAgo(100 * DAY) }),
    sampleRecord('GPU-1', minutesAgo(9 * DAY), { utilization_pct: 9 }),
    alertRecord(901),
  ]);
  expect(old).toMatchObject({ written: 1, rejected: 2 });
  for (const { reason } of old.rejects)
    expect(reason).toMatch(/outside the retention period \(data before .* was dropped\)/);
  await expectAgreement(EVERYTHING);
});

test('deletes expired past states, digests, processes and workloads', async () => {
  const age = (statement: string) => rowsOf(fleet.database.administratorUrl, statement);
  await age(
    "UPDATE fleet.alert_past_states SET changed_at = now() - interval '37 hours' WHERE created_at > now() - interval '60 days'",
  );
  await age(`INSERT INTO fleet.import_digests (customer_id, workspace_id, digest, imported_at)
    VALUES (1, 10, '\\x01', now() - interval '8 days'), (1, 10, '\\x02', now() - interval '6 days')`);
  await age(`INSERT INTO fleet.gpu_processes (customer_id, gpu_id, pid, started_at, first_seen, last_seen)
    SELECT 1, 'GPU-1', pid, now() - interval '99 days', now() - interval '99 days', now() - pid * interval '40 days' FROM generate_series(1, 2) AS pid`);
  await age(`INSERT INTO fleet.gpu_workloads (customer_id, gpu_id, workload_id, name, first_seen, last_seen)
    SELECT 1, 'GPU-1', gen_random_uuid(), n::text, now() - interval '99 days', now() - n * interval '40 days' FROM generate_series(1, 2) AS n`);
  const { pruned } = await apply();
  expect(pruned).toEqual({
    alert_past_states: 1,
    import_digests: 1,
    gpu_processes: 1,
    gpu_workloads: 1,
    entities: 0,
  });
  expect(await age('SELECT FROM fleet.alert_past_states')).toHaveLength(0); // the other's month was dropped
  expect(await age("SELECT FROM fleet.import_digests WHERE digest = '\\x02'")).toHaveLength(1);
  expect(await age('SELECT FROM fleet.gpu_processes WHERE pid = 1')).toHaveLength(1);
  expect(await age("SELECT FROM fleet.gpu_workloads WHERE name = '1'")).toHaveLength(1);
});

test('changes the ETag; pagination that started before continues over the remaining alerts', async () => {
  const [access] = CALLERS as [Access];
  const first = await fleet.get('/api/v1/alerts/?page_size=3', access);
  const etag = first.headers.get('etag') as string;
  const { next_page_token } = (await first.json()) as { next_page_token: string };
  expect((await fleet.get('/api/v1/alerts/?page_size=3', access, { 'if-none-match': etag })).status).toBe(
    304,
  );

  await apply();

  expect((await fleet.get('/api/v1/alerts/?page_size=3', access, { 'if-none-match': etag })).status).toBe(
    200,
  );
  const rest = await list(access, `&page_token=${next_page_token}`);
  const now = await list(access);
  expect(rest.alerts).toEqual(now.alerts.slice(3));
});

test('reads and imports continue, and every total equals its rows', async () => {
  const other: Access = [{ customer_id: 2, workspace_ids: 'all' }];
  const since = (await keptSince(fleet.database.ownerUrl)).toISOString();
  const recent = async () => {
    const { alerts, total_size } = await list(other);
    // While a partition is dropped, the rows of a statement may have one partition more or less than its counts.
    expect(Math.abs(alerts.length - total_size)).toBeLessThanOrEqual(3);
    return alerts.filter(({ created_at }) => created_at >= since).length;
  };
  const kept = await recent();
  let isApplied = false;
  /** Repeats until the retention is applied, and at least three times: a slow machine manages fewer in that time. */
  const repeat = async (work: (n: number) => Promise<void>) => {
    for (let n = 0; !isApplied || n < 3; n++) await work(n);
  };
  const read = async () => expect(await recent()).toBe(kept);
  const importOne = async (n: number) => {
    const { rejected, written } = await fleet.import([
      alertRecord(1_000 + n),
      sampleRecord('GPU-1', minutesAgo(0), { utilization_pct: 50 }),
    ]);
    expect([written, rejected]).toEqual([2, 0]);
  };
  await Promise.all([
    apply(KEPT, { lockTimeoutSeconds: 600 }).finally(() => (isApplied = true)),
    repeat(read),
    repeat(read),
    repeat(importOne),
  ]);
  await expectAgreement(EVERYTHING);
});

describe('with another session', () => {
  const inTransaction = (statement: string, work: () => Promise<void>) =>
    withClient(fleet.database.ownerUrl, async (session) => {
      await session.query(`BEGIN; ${statement}`);
      await work();
    });

  test('that locks the table or applies retention, gives up in time and changes nothing', async () => {
    const before = await fleetTables(fleet.database.administratorUrl);
    await inTransaction(
      "SELECT pg_advisory_xact_lock(hashtextextended('gpu-observatory:fleet-retention', 0))",
      async () => {
        await expect(apply()).rejects.toThrow('another "retention apply" is running on this database');
      },
    );
    await inTransaction('LOCK TABLE fleet.alerts IN SHARE UPDATE EXCLUSIVE MODE', async () => {
      await expect(apply(KEPT, { lockTimeoutSeconds: 1 })).rejects.toMatchObject({ code: '55P03' });
      expect({ ...(await fleetTables(fleet.database.administratorUrl)), retention: [] }).toEqual({
        ...before,
        retention: [],
      });
      await expectAgreement(EVERYTHING);
    });
    await apply();
    await expectAgreement(EVERYTHING);
  });

  test('with a long read, responses stay correct, and the next run finishes', async () => {
    await inTransaction('SELECT count(*) FROM fleet.alerts', async () => {
      await expect(apply(KEPT, { lockTimeoutSeconds: 1 })).rejects.toMatchObject({ code: '55P03' });
      await expectAgreement(EVERYTHING);
    });
    const { dropped } = await apply();
    expect(dropped.length).toBeGreaterThan(1);
    await expectAgreement(EVERYTHING);
    expect(
      await rowsOf(fleet.database.ownerUrl, 'SELECT FROM pg_inherits WHERE inhdetachpending'),
    ).toHaveLength(0);
  });
});

test('creates partitions ahead once, and imports use them', async () => {
  // Creates this month's partitions; on the first of a month there are no others.
  await fleet.import([
    alertRecord(949, { created_at: minutesAgo(0) }),
    sampleRecord('GPU-1', minutesAgo(0), { utilization_pct: 5 }),
  ]);
  const owner = new OwnerDatabase(fleet.database.ownerUrl, { schema: 'fleet', lockTimeoutSeconds: 5 });
  const client = await owner.open();
  const ahead = { months: 3, days: 14 };
  const planned = await createPartitionsAhead(client, ahead, { dryRun: true });
  expect(await createPartitionsAhead(client, ahead)).toEqual(planned);
  const of = (table: string) => planned.filter((partition) => partition.table === table).length;
  expect([of('alerts'), of('gpu_days')]).toEqual([3, 3]); // this month's were there
  expect(of('gpu_samples')).toBeGreaterThanOrEqual(14);
  expect(await createPartitionsAhead(client, ahead)).toEqual([]);
  await owner.close();
  await fleet.import([alertRecord(950), sampleRecord('GPU-1', minutesAgo(1), { utilization_pct: 5 })]);
  expect((await fleet.get(`/api/v1/alerts/${uuid(950)}`, CALLERS[0] as Access)).status).toBe(200);
});
