import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, DAY_MS } from '@gpu-observatory/domain-types';
import { alertRecord } from '../alert-record.ts';
import type { Claim } from '../run-checks.ts';
import { describeOutcomes, SteadyLoad } from '../steady-load.ts';
import { compareResponses } from './comparison.ts';
import type { FleetSide } from './fleet-side.ts';
import {
  CALLERS,
  CUSTOMERS,
  detailRequests,
  isSearch,
  listRequests,
  ONE_CUSTOMER,
  WORKSPACES,
} from './requests.ts';

export interface CitusContext {
  sides: readonly [citus: FleetSide, control: FleetSide];
  /** Records of the simulated fleet, one per line. */
  history: string[];
  nowMs: number;
}

type CitusCheck = Claim<CitusContext>;

/** Records that are imported before the tables are distributed. */
const BEFORE_DISTRIBUTION = 0.3;
const RETENTION = {
  RETENTION_ALERTS_MONTHS: '1',
  RETENTION_EVENTS_MONTHS: '1',
  RETENTION_ROLLUPS_MONTHS: '1',
  RETENTION_SAMPLES_DAYS: '1',
};

const distributes: CitusCheck = {
  claim:
    'distribute moves every table with its rows, leaves none on the coordinator, and is complete after one run',
  run: async ({ sides, history }) => {
    const [citus] = sides;
    const first = history.slice(0, history.length * BEFORE_DISTRIBUTION);
    for (const side of sides) await side.import(first);
    const counts = () => rowCounts(citus);
    const before = await counts();
    await citus.operate(['distribute']);
    assert.deepEqual(await counts(), before, 'rows per table');
    const { steps } = JSON.parse(await citus.operate(['distribute', '--dry-run', '--json'])) as {
      steps: { sql: string; done: boolean }[];
    };
    const open = steps.filter(({ done }) => !done).map(({ sql }) => sql);
    assert(open.length === 0, `a second run would execute ${open.join('; ')}`);
    const [row] = await citus.query<{ groups: number; shards: number }>(
      `SELECT count(DISTINCT p.colocationid)::int AS groups, (SELECT count(*)::int FROM pg_dist_shard s
         WHERE s.logicalrelid = 'fleet.data_versions'::regclass) AS shards
       FROM pg_dist_partition p WHERE p.partmethod = 'h'`,
    );
    assert(row!.groups === 1, `the tables are in ${row!.groups} colocation groups`);
    return `${steps.length / 2} tables, ${row!.shards} shards each, in one colocation group; ${first.length} records were moved`;
  },
};

const imports: CitusCheck = {
  claim: 'the importer writes the same rows as on plain PostgreSQL',
  run: async ({ sides, history }) => {
    const [citus, control] = sides;
    const rest = history.slice(history.length * BEFORE_DISTRIBUTION);
    for (const side of sides) {
      await side.import(rest);
      await side.query('ANALYZE');
      await side.start();
    }
    assert.deepEqual(await rowCounts(citus), await rowCounts(control), 'rows per table');
    // Without rows, all responses would be equal.
    for (const table of ['alerts', 'gpus']) {
      const rows = await control.query<{ customer_id: number }>(
        `SELECT DISTINCT customer_id FROM fleet.${table} ORDER BY 1`,
      );
      const customers = rows.map(({ customer_id }) => customer_id);
      assert.deepEqual(customers, CUSTOMERS, `customers with ${table}`);
    }
    return `${rest.length} records`;
  },
};

const equalResponses: CitusCheck = {
  claim: 'every response equals that of the control',
  run: (context) => comparison(context),
};

const routerQueries: CitusCheck = {
  claim:
    'a request of a caller with one customer needs one shard per statement, except for searches of texts',
  run: ({ sides: [citus] }) =>
    citus.withOneShardPerStatement(async () => {
      let requests = 0;
      for (const caller of [ONE_CUSTOMER, WORKSPACES]) {
        const paths = [...listRequests(Date.now()), ...(await detailRequests(citus, caller))];
        for (const path of paths.filter((one) => !isSearch(one))) {
          const { status, body } = await citus.get(path, caller.access);
          assert(status === 200, `${path} of ${caller.name} returned ${status} ${body.slice(0, 200)}`);
          requests += 1;
        }
        requests += await readNextPages(citus, caller.access);
      }
      return `${requests} requests`;
    }),
};

const ages: CitusCheck = {
  claim:
    'new imports, partitions, state changes, rebuilt metrics and retention change both sides in the same way',
  run: async (context) => {
    const { sides, nowMs } = context;
    const [citus, control] = sides;
    const observed: string[] = [];
    const same = async <Result>(what: string, run: (side: FleetSide) => Promise<Result>) => {
      const [one, other] = [await run(citus), await run(control)];
      assert.deepEqual(one, other, what);
      return one;
    };
    await same('partitions ahead', (side) =>
      side.operate(['partitions', 'ahead', '--months', '4', '--days', '20', '--json']),
    );

    const changes = await laterRecords(citus, nowMs);
    for (const side of sides) await side.import(changes);
    observed.push(`${changes.length} later records`, await comparison(context));

    for (const side of sides)
      await side.query(
        'UPDATE fleet.metric_days SET alerts_high = alerts_high + 1 WHERE day = (SELECT max(day) FROM fleet.metric_days)',
      );
    const output = await same('rebuilt metrics', (side) => side.operate(['metrics', 'rebuild', '--json']));
    const { customers } = JSON.parse(output) as { customers: { alerts: number }[] };
    const rebuilt = customers.reduce((sum, { alerts }) => sum + alerts, 0);
    assert(rebuilt > 0, `the rebuild repaired no row: ${output}`);
    observed.push(`${rebuilt} rows rebuilt`);

    const load = new SteadyLoad(3, async () => {
      const { status } = await citus.get('/api/v1/alerts/?page_size=50', ONE_CUSTOMER.access);
      return status === 200 ? '2xx' : String(status);
    });
    try {
      await sleep(2_000);
      const dropped = await same('retention', dropExpired);
      observed.push(`${dropped.length} partitions dropped`);
    } finally {
      await load.stop();
    }
    assert(load.failures.length === 0, `reads during retention: ${describeOutcomes(load.failures)}`);
    observed.push(`${load.samples.length} reads during retention`);
    assert.deepEqual(await rowCounts(citus), await rowCounts(control), 'rows per table after retention');
    observed.push(await comparison(context));
    return observed.join('; ');
  },
};

export const citusChecks: CitusCheck[] = [distributes, imports, equalResponses, routerQueries, ages];

/** State changes of stored alerts, and alerts in a month that has no partition yet. */
async function laterRecords(side: FleetSide, nowMs: number): Promise<string[]> {
  const changed: string[] = [];
  for (const customer_id of CUSTOMERS) {
    const { body } = await side.get('/api/v1/alerts/?page_size=40&sort=timestamp', [
      { customer_id, workspace_ids: 'all' },
    ]);
    const { alerts } = JSON.parse(body) as { alerts: { id: string; state: string }[] };
    changed.push(
      ...alerts.map(({ id, state }) =>
        JSON.stringify({
          kind: 'alert_state',
          customer_id,
          alert_id: id,
          state: state === 'ignored' ? 'active' : 'ignored',
          at: new Date(nowMs).toISOString(),
        }),
      ),
      ...[1, 200].map((daysAgo) =>
        alertRecord(nowMs - daysAgo * DAY_MS, { customer_id, workspace_id: customer_id * 10 + 1 }),
      ),
    );
  }
  return changed;
}

async function comparison({ sides, nowMs }: CitusContext): Promise<string> {
  let equal = 0;
  const differences: string[] = [];
  for (const caller of CALLERS) {
    const paths = [...listRequests(nowMs), ...(await detailRequests(sides[1], caller))];
    const result = await compareResponses(sides, caller, paths);
    equal += result.equal;
    differences.push(...result.differences);
  }
  assert(
    differences.length === 0,
    `${differences.length} of ${equal + differences.length} differ:\n${differences.slice(0, 10).join('\n')}`,
  );
  return `${equal} equal responses`;
}

/**
 * Reads three pages of the list in several orders.
 *
 * @returns the number of requests
 */
async function readNextPages(side: FleetSide, access: Access): Promise<number> {
  let requests = 0;
  for (const sort of ['-timestamp', 'severity', '-hostname']) {
    let token: string | undefined;
    for (let page = 1; page <= 3; page += 1) {
      const next = token === undefined ? '' : `&page_token=${encodeURIComponent(token)}`;
      const { status, body } = await side.get(`/api/v1/alerts/?page_size=20&sort=${sort}${next}`, access);
      assert(status === 200, `page ${page} returned ${status} ${body.slice(0, 200)}`);
      requests += 1;
      token = (JSON.parse(body) as { next_page_token?: string }).next_page_token;
      if (token === undefined) break;
    }
  }
  return requests;
}

/** Returns the names of the dropped partitions. */
async function dropExpired(side: FleetSide): Promise<string[]> {
  const output = await side.operate(['retention', 'apply', '--json'], RETENTION);
  const { dropped } = JSON.parse(output) as { dropped: { partition: string }[] };
  return dropped.map(({ partition }) => partition);
}

/** Counts rows per table, without counts of nothing: they remain when a batch moves an entity, and depend on the batches. */
async function rowCounts(side: FleetSide): Promise<Record<string, number>> {
  const tables = await side.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND c.relname !~ '_\\d{6}$' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = name.endsWith('_counts') ? `${name} WHERE n <> 0` : name;
    const [row] = await side.query<{ n: number }>(`SELECT count(*)::int AS n FROM fleet.${rows}`);
    counts[name] = row!.n;
  }
  return counts;
}
