import type { Access } from '@gpu-observatory/domain-types';
import { DAY_MS } from '@gpu-observatory/domain-types';
import type { FleetMetricsModel } from '../../src/api/metrics/metrics.models.ts';
import { bodyOf } from '../support/responses.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { fleetTables, rowsOf } from '../support/fleet-tables.ts';
import { importBatches } from '../support/import-records.ts';
import { alertRecord, gpuRecord, minutesAgo } from '../support/records.ts';
import { KEPT, keptSince, retain } from '../support/retention.ts';

const CALLERS: { access: Access; query?: string }[] = [
  { access: [{ customer_id: 1, workspace_ids: 'all' }] },
  { access: [{ customer_id: 1, workspace_ids: [10, 12] }] },
  { access: [{ customer_id: 1, workspace_ids: 'all' }], query: '&api_key_id=7' },
  {
    access: [
      { customer_id: 1, workspace_ids: 'all' },
      { customer_id: 2, workspace_ids: [11] },
    ],
  },
];

const fleet = useFleetService();

/** Fixed, so that windows do not move with the clock. */
const NOW_MS = Date.now();
const daysAgo = (days: number) => minutesAgo(days * 1_440, NOW_MS);

/** Returns records of new entities for each of 150 days, in three workspaces; some are observed again 30 days later. */
function fleetOfMonths(): object[] {
  return Array.from({ length: 150 }, (_unused, n) => n + 1).flatMap((days) => {
    const owner = {
      customer_id: 1 + (days % 2),
      workspace_id: days > 100 ? 12 : 10 + (days % 2),
      api_key_id: days % 3 === 0 ? 7 : null,
    };
    const seen = (at: string) => [
      { kind: 'container', ...owner, at, container_id: `c-${days}`, hostname: `h-${days % 40}`, mps: true },
      {
        kind: 'process',
        ...owner,
        at,
        hostname: 'h',
        pid: days,
        started_at: daysAgo(days),
        container_id: 'c',
      },
    ];
    return [
      ...seen(daysAgo(days)),
      ...(days % 5 === 0 ? seen(daysAgo(Math.max(1, days - 30))) : []),
      { kind: 'vm', ...owner, at: daysAgo(days), vm_id: `vm-${days}`, hostname: `h-${days % 40}` },
    ];
  });
}

const apply = async (options: { dryRun?: boolean } = {}) =>
  (await retain(fleet.database.ownerUrl, KEPT, options)).pruned;

/** Returns the metrics of windows of several lengths from this time on. */
async function metricsSince(since: Date): Promise<string[]> {
  const texts: string[] = [];
  const lengths = [1, 7, 30, 1_000];
  for (let from = since.getTime(); from < NOW_MS; from += 9 * DAY_MS) {
    for (const days of lengths) {
      const window = `from=${new Date(from).toISOString()}&to=${new Date(Math.min(NOW_MS, from + days * DAY_MS)).toISOString()}`;
      for (const { access, query = '' } of CALLERS)
        texts.push(await (await fleet.get(`/api/v1/metrics?${window}${query}`, access)).text());
    }
  }
  return texts;
}

const old = (since: Date) =>
  rowsOf(fleet.database.ownerUrl, 'SELECT FROM fleet.entities WHERE last_seen < $1', [since]);

test('deletes old entities, and keeps metrics of all windows within retention', async () => {
  await fleet.import(fleetOfMonths());
  const since = await keptSince(fleet.database.ownerUrl);
  const [before, gone] = [await metricsSince(since), (await old(since)).length];
  expect(gone).toBeGreaterThan(150);

  expect((await apply({ dryRun: true }))['entities']).toBe(gone);
  expect(await metricsSince(since)).toEqual(before);
  expect((await apply())['entities']).toBe(gone);

  expect(await old(since)).toEqual([]);
  expect(await metricsSince(since)).toEqual(before);
  // Counts of earlier buckets include exactly the remaining entities.
  const counted = await rowsOf<{ edge: number; n: number }>(
    fleet.database.ownerUrl,
    `SELECT c.edge, sum(c.n)::integer AS n FROM fleet.entity_counts c
     WHERE c.scope_kind = 0 AND c.grain = 0 AND c.bucket < $1 GROUP BY c.edge ORDER BY c.edge`,
    [since],
  );
  const [left] = await rowsOf<{ n: number }>(
    fleet.database.ownerUrl,
    "SELECT count(*)::integer AS n FROM fleet.entities WHERE first_seen < $1 AND kind <> 'key_workspace'",
    [since],
  );
  expect(counted).toEqual([{ edge: 0, n: (left as { n: number }).n }]);
  // A second time there is nothing to do.
  const tables = await fleetTables(fleet.database.administratorUrl);
  expect((await apply())['entities']).toBe(0);
  expect(await fleetTables(fleet.database.administratorUrl)).toEqual(tables);
});

test('deletes several batches, and counts a concurrent import', async () => {
  const customer_id = 3;
  await fleet.import([gpuRecord('GPU-1', { customer_id, at: daysAgo(1) })]);
  await rowsOf(
    fleet.database.ownerUrl,
    `INSERT INTO fleet.entities (customer_id, kind, entity_id, workspace_id, owned_since, first_seen, last_seen, doc)
     SELECT $1, 'process', 'p-' || n, 10, t, t, t, '{}' FROM generate_series(1, 12000) AS n, (SELECT now() - interval '100 days') AS o (t)`,
    [customer_id],
  );
  await rowsOf(
    fleet.database.ownerUrl,
    `INSERT INTO fleet.entity_counts (customer_id, scope_kind, api_key_id, workspace_id, kind, edge, grain, bucket, n, offset_ms)
     SELECT $1, scope, 0, scope * 10, 6, edge, grain, date_trunc(CASE grain WHEN 0 THEN 'month' ELSE 'day' END, now() - interval '100 days', 'UTC'), 12000, 0
     FROM generate_series(0, 1) AS scope, generate_series(0, 1) AS edge, generate_series(0, 1) AS grain`,
    [customer_id],
  );
  let isApplied = false;
  let imports = 0;
  const importer = (async () => {
    for (; !isApplied; imports++)
      expect((await fleet.import([alertRecord(imports, { customer_id })])).rejected).toBe(0);
  })();
  expect((await apply())['entities']).toBe(12_000);
  isApplied = true;
  await importer;
  expect(imports).toBeGreaterThan(0);
  const left = await rowsOf(
    fleet.database.ownerUrl,
    'SELECT FROM fleet.entity_counts WHERE customer_id = $1 AND kind = 6 AND n <> 0',
    [customer_id],
  );
  expect(left).toEqual([]);
});

test('an import with a cached entity creates it again after its deletion', async () => {
  const customer_id = 4;
  const container = (days: number, more: object = {}) => ({
    kind: 'container',
    customer_id,
    workspace_id: 10,
    at: daysAgo(days),
    container_id: 'c-1',
    hostname: 'h-1',
    ...more,
  });
  const countOf = async (fromDays: number, toDays: number) => {
    const path = `/api/v1/metrics?from=${daysAgo(fromDays)}&to=${daysAgo(toDays)}`;
    const { metrics } = await bodyOf<{ metrics: FleetMetricsModel }>(
      await fleet.get(path, [{ customer_id, workspace_ids: 'all' }]),
      'getMetrics',
    );
    return metrics.metrics_summary['container_count'];
  };
  // One importer throughout: its cached container is stale after the deletion.
  const imported = await importBatches(
    fleet.database.importerUrl,
    (async function* () {
      yield [container(120, { image: 'old' })];
      yield [container(110)];
      expect((await apply())['entities']).toBe(3); // with its host and its workspace
      yield [container(2)];
    })(),
  );
  expect(imported).toMatchObject({ written: 3, rejected: 0 });
  expect(
    await rowsOf(
      fleet.database.ownerUrl,
      "SELECT first_seen = last_seen AS once, doc->>'image' AS image FROM fleet.entities WHERE customer_id = $1 AND kind = 'container'",
      [customer_id],
    ),
  ).toEqual([{ once: true, image: null }]);
  expect([await countOf(1, 0), await countOf(2, 1), await countOf(40, 30)]).toEqual([0, 1, 0]);
});
