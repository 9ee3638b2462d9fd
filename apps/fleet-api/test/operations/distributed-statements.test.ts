import { setTimeout as sleep } from 'node:timers/promises';
import { type Access, DAY_MS } from '@gpu-observatory/domain-types';
import { OwnerDatabase } from '@gpu-observatory/service-runtime/process';
import fc from 'fast-check';
import { rebuildMetrics } from '../../src/operations/metrics/rebuild-metrics.ts';
import { imitateCitus } from '../support/citus-catalog.ts';
import { distributedStatementFaults } from '../support/distribution-rules.ts';
import { startFleetService, type FleetService } from '../support/fleet-service.ts';
import { useGenericPlans } from '../support/generic-plans.ts';
import { fleetArbitrary } from '../support/random-fleets.ts';
import {
  alertRecord,
  alertStateRecord,
  gpuRecord,
  minutesAgo,
  sampleRecord,
  uuid,
} from '../support/records.ts';
import { retain } from '../support/retention.ts';
import { type LoggedStatement, logStatements } from '../support/server-log.ts';

const CALLERS: Access[] = [
  [{ customer_id: 1, workspace_ids: 'all' }],
  [{ customer_id: 1, workspace_ids: [10, 11] }],
  [
    { customer_id: 1, workspace_ids: 'all' },
    { customer_id: 2, workspace_ids: [10] },
  ],
];
/** May read the alert of the second customer only, of two with the same id. */
const OTHER_WORKSPACE: Access = [
  { customer_id: 1, workspace_ids: [11] },
  { customer_id: 2, workspace_ids: 'all' },
];
const SHARED_ID = 900;
const UNREADABLE_ID = 901;
const WINDOW = `from=${minutesAgo(100 * 1_440)}&to=${minutesAgo(1_440)}`;
const FILTERS = [
  '',
  'filter[type][in]=gpu_thermal',
  'filter[title][contains]=a',
  'filter[title][contains]=107',
  'workspace_id=10',
  'api_key_id=7',
];
const READ_AND_WRITTEN = [
  ...['alerts', 'alert_details', 'alert_timeline_events', 'alert_past_states', 'alert_counts', 'alert_words'],
  ...['gpus', 'gpu_days', 'gpu_day_sums', 'gpu_xid_events', 'gpu_processes', 'gpu_workloads', 'gpu_samples'],
  ...['entities', 'entity_counts', 'host_days', 'host_samples', 'metric_days', 'data_versions', 'workspaces'],
];
const SORTS = ['timestamp', 'severity', 'state', 'type', 'hostname'].flatMap((field) => [field, `-${field}`]);

let fleet: FleetService;
let statements: LoggedStatement[];
/** Responses to each caller, by path. */
const responses: Map<string, unknown>[] = [];

beforeAll(async () => {
  let readLog = (): Promise<LoggedStatement[]> => Promise.resolve([]);
  fleet = await startFleetService({
    prepareDatabase: async (database) => {
      readLog = await logStatements(database.administratorUrl);
      await useGenericPlans(database);
    },
  });
  await importEverything();
  const { length } = await readLog();
  await imitateCitus(fleet.database.administratorUrl);
  while (!(await readiness()).includes('plan_cache_mode')) await sleep(50);
  for (const access of CALLERS) responses.push(await readEverything(access));
  await importEverything(1_000);
  await rebuild();
  await retain(fleet.database.ownerUrl);
  statements = (await readLog()).slice(length);
});

afterAll(() => fleet.stop());

async function readiness(): Promise<string> {
  return (await fetch(`${fleet.running.managementUrl}/readyz`)).text();
}

/** @param first added to the ids of alerts */
async function importEverything(first = 0): Promise<void> {
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 5 * DAY_MS;
  const [records = []] = fc.sample(fleetArbitrary(1, startMs), { numRuns: 1, seed: 1 + first });
  await fleet.import(records);
  await fleet.import([
    { kind: 'workspace', customer_id: 1, workspace_id: 10, name: 'Research' },
    gpuRecord('GPU-9'),
    gpuRecord('GPU-8', { customer_id: 2 }),
    sampleRecord('GPU-9', minutesAgo(1), { utilization_pct: 50, xid_last_code: 79 }),
    ...[1, 2].flatMap((customer_id) =>
      Array.from({ length: 30 }, (_unused, n) =>
        alertRecord(first + customer_id * 100 + n, {
          customer_id,
          api_key_id: n % 2 === 0 ? 7 : null,
          gpu_id: 'GPU-9',
          created_at: minutesAgo(n * 4 * 1_440),
        }),
      ),
    ),
    alertRecord(first + SHARED_ID),
    alertRecord(first + SHARED_ID, { customer_id: 2 }),
    alertRecord(first + UNREADABLE_ID, { customer_id: 2, workspace_id: 11 }),
    {
      kind: 'timeline_event',
      customer_id: 1,
      alert_id: uuid(first + 100),
      ts: minutesAgo(1),
      pid: 1,
      tid: 1,
      event_type: 'execve',
      event_info: 'bash',
    },
  ]);
  await fleet.import([alertStateRecord(first + 100, 'ignored'), alertStateRecord(first + 201, 'ignored', 2)]);
}

async function readEverything(access: Access): Promise<Map<string, unknown>> {
  const bodies = new Map<string, unknown>();
  const read = async (path: string) => {
    const response = await fleet.get(`/api/v1/${path}`, access);
    expect([path, response.status]).toEqual([path, 200]);
    const body = (await response.json()) as Record<string, unknown>;
    bodies.set(path, body);
    return body;
  };
  for (const sort of SORTS) {
    const { next_page_token: token } = await read(`alerts/?page_size=5&sort=${sort}`);
    await read(`alerts/?page_size=5&sort=${sort}&page_token=${encodeURIComponent(String(token))}`);
  }
  for (const filter of FILTERS) {
    for (const window of ['', WINDOW]) {
      await read(`alerts/?${filter}&${window}`);
      await read(`alerts:summary?${filter}&${window}`);
      await read(`alerts:severityTrend?${filter}&${window}`);
    }
  }
  for (const id of [100, 201].map(uuid).slice(0, access.length)) {
    await read(`alerts/${id}`);
    await read(`alerts/${id}/timeline`);
  }
  for (const id of ['GPU-9', 'GPU-8'].slice(0, access.length)) await read(`gpus/${id}`);
  for (const id of [SHARED_ID, UNREADABLE_ID, 999].map(uuid)) {
    for (const caller of [access, OTHER_WORKSPACE]) {
      const response = await fleet.get(`/api/v1/alerts/${id}`, caller);
      const { alert } = (await response.json()) as { alert?: object };
      bodies.set(`${id} for ${JSON.stringify(caller)}`, { status: response.status, alert });
    }
  }
  for (const page of ['', 'page_size=3', 'view=basic', 'page_size=2000'])
    await read(`gpus?${page}&${WINDOW}`);
  for (const scope of ['', 'workspace_id=10', 'api_key_id=7']) await read(`metrics?${scope}&${WINDOW}`);
  return bodies;
}

async function rebuild(): Promise<void> {
  const owner = new OwnerDatabase(fleet.database.ownerUrl, { schema: 'fleet', lockTimeoutSeconds: 5 });
  await rebuildMetrics(await owner.open(), 1);
  await owner.close();
}

/** The metrics of the ingest lag are of all customers. */
function isOfAllCustomers({ text }: LoggedStatement): boolean {
  return text.includes('count(*) FROM fleet.data_versions');
}

/** Returns the statements of roles on tables, each text once. */
function sentBy(role: RegExp): LoggedStatement[] {
  const sent = statements.filter(
    (one) => role.test(one.role) && one.text.includes('fleet.') && !isOfAllCustomers(one),
  );
  return [...new Map(sent.map((one) => [one.text, one])).values()];
}

const faults = (sent: LoggedStatement[]) => distributedStatementFaults(fleet.database.administratorUrl, sent);

describe('on Citus', () => {
  it('statements of the service and the importer name a customer for each table that they read', async () => {
    const sent = sentBy(/^fleet_(?:api|importer)$/);
    const tables = new Set(sent.flatMap(({ text }) => text.match(/(?<=\bfleet\.)[a-z_]+/g) ?? []));
    expect([...tables]).toEqual(expect.arrayContaining(READ_AND_WRITTEN));
    expect(sent.length).toBeGreaterThan(100);
    expect(await faults(sent)).toEqual([]);
  });

  it('rebuilt metrics name their customer, and retention detaches in a transaction', async () => {
    const sent = sentBy(/^fleet_owner$/);
    const ofCustomers = sent.filter(({ text }) => /customer_id = \$1|VALUES \(\$1|SELECT \$1/.test(text));
    expect(ofCustomers.length).toBeGreaterThan(10);
    expect(await faults(ofCustomers)).toEqual([]);
    const detaching = sent.filter(({ text }) => text.includes('DETACH PARTITION'));
    expect(detaching.length).toBeGreaterThan(1);
    expect(await faults(detaching)).toEqual([]);
  });

  it('an id that two customers use is that of the customer whom the caller may read', () => {
    const [bodies] = responses;
    const of = (id: number, caller: Access) => bodies?.get(`${uuid(id)} for ${JSON.stringify(caller)}`);
    expect(of(SHARED_ID, OTHER_WORKSPACE)).toMatchObject({ status: 200, alert: { customer_id: 2 } });
    expect(of(UNREADABLE_ID, OTHER_WORKSPACE)).toMatchObject({ status: 200 });
    expect(responses[2]?.get(`${uuid(UNREADABLE_ID)} for ${JSON.stringify(CALLERS[2])}`)).toEqual({
      status: 404,
    });
  });

  it.each([
    [
      'SELECT 1 FROM fleet.gpus g, LATERAL (SELECT 1 FROM fleet.gpu_days d WHERE d.customer_id = g.customer_id LIMIT 1) AS l WHERE g.customer_id = $1',
      ['gpu_days without its customer'],
    ],
    ['SELECT g.gpu_id FROM fleet.gpus g WHERE g.gpu_id = $1', ['gpus without its customer']],
    [
      'SELECT g.gpu_id FROM fleet.gpus g JOIN fleet.gpu_days d ON d.customer_id = g.customer_id AND d.gpu_id = g.gpu_id WHERE g.customer_id = ANY ($1::integer[])',
      ['gpu_days without its customer'],
    ],
    [
      'SELECT g.gpu_id, (SELECT count(*) FROM fleet.entities e WHERE e.customer_id = g.customer_id) FROM fleet.gpus g WHERE g.customer_id = $1',
      ['entities without its customer'],
    ],
    [
      'INSERT INTO fleet.data_versions VALUES ($1, 1, now()) ON CONFLICT (customer_id) DO UPDATE SET imported_at = clock_timestamp()',
      ['clock_timestamp() in DO UPDATE'],
    ],
    [
      'UPDATE fleet.alerts a SET words = changed.words::integer[] FROM unnest($2::text[]) AS changed (words) WHERE a.customer_id = $1',
      ['changed.words::integer[] in UPDATE'],
    ],
    ['ALTER TABLE fleet.alerts DETACH PARTITION fleet.alerts_2026_01 CONCURRENTLY', ['DETACH CONCURRENTLY']],
    ['SELECT EXISTS (SELECT FROM fleet.gpus g WHERE g.customer_id = $1)', ['a subquery without columns']],
    [
      'WITH l AS (SELECT g.customer_id FROM fleet.gpus g WHERE g.customer_id = $1 OR g.customer_id = $2) SELECT 1 FROM l LEFT JOIN LATERAL (SELECT 1) AS x ON true',
      ['a lateral outer join for several customers'],
    ],
  ])('the check reports the faults of %s', async (text, expected) => {
    const found = await faults([{ role: 'fleet_api', text, parameters: ['1', '2'] }]);
    expect(found).toEqual(expected.map((fault) => `${fault}: ${text}`));
  });
});
