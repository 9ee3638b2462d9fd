import type { Access } from '@gpu-observatory/domain-types';
import { withClient } from '@gpu-observatory/embedded-database';
import type pg from 'pg';
import { type AccessScope, accessScopes, type ScopeFilter } from '../../src/api/access/access-scope.ts';
import { type DocumentedOperation, documentedOperations, pathOf } from '../support/documented-requests.ts';
import { type FleetService, startFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { ALERTS, GPUS, idsOf, ownedRecords } from '../support/owned-rows.ts';
import { type LoggedStatement, logStatements } from '../support/server-log.ts';
import { scansOutsideScope } from '../support/tenant-scans.ts';
import { deletionsOutside } from '../support/visible-rows.ts';

interface TestedCaller {
  name: string;
  access: Access;
  /** Sent with each request. */
  filter: ScopeFilter;
}

const ALL: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const CALLERS: TestedCaller[] = [
  { name: 'one customer', access: ALL, filter: {} },
  { name: 'listed workspaces', access: [{ customer_id: 1, workspace_ids: [1, 3] }], filter: {} },
  { name: 'one workspace', access: ALL, filter: { workspaceId: 2 } },
  { name: 'an API key', access: ALL, filter: { apiKeyId: 5 } },
  {
    name: 'an API key in listed workspaces',
    access: [{ customer_id: 1, workspace_ids: [1] }],
    filter: { apiKeyId: 5 },
  },
  {
    name: 'several customers',
    access: [
      { customer_id: 1, workspace_ids: [1, 3] },
      { customer_id: 2, workspace_ids: 'all' },
    ],
    filter: {},
  },
];
const PARAMETERS = {
  customerId: 'customer_id',
  workspaceId: 'workspace_id',
  apiKeyId: 'api_key_id',
} as const;
const OPERATIONS = documentedOperations();
const CONCURRENT_REQUESTS = 4;

let fleet: FleetService;
/** Statements of each caller's requests, each text once. */
const statements = new Map<string, LoggedStatement[]>();
const requests = new Map<string, number>();

beforeAll(async () => {
  let readLog = (): Promise<LoggedStatement[]> => Promise.resolve([]);
  fleet = await startFleetService({
    prepareDatabase: async ({ administratorUrl }) => {
      readLog = await logStatements(administratorUrl);
    },
  });
  for (const records of ownedRecords()) await fleet.import(records);
  const mark = (name: string) => rowsOf(fleet.database.administratorUrl, `SELECT '${name}' AS caller`);
  for (const caller of CALLERS) {
    await mark(caller.name);
    await sendAll(caller);
  }
  await mark('end');
  const isMark = ({ text }: LoggedStatement, name: string) => text === `SELECT '${name}' AS caller`;
  let log = await readLog();
  while (!log.some((one) => isMark(one, 'end'))) log = await readLog();
  CALLERS.forEach(({ name }, n) => {
    const next = CALLERS[n + 1]?.name ?? 'end';
    const [from, to] = [name, next].map((marked) => log.findIndex((one) => isMark(one, marked)));
    const sent = log
      .slice(from, to)
      // The metrics of the ingest lag are of all customers.
      .filter(
        ({ role, text }) =>
          role === 'fleet_api' &&
          text.includes('fleet.') &&
          !text.includes('count(*) FROM fleet.data_versions'),
      );
    statements.set(name, [...new Map(sent.map((one) => [one.text, one])).values()]);
  });
}, 600_000);

afterAll(() => fleet.stop());

/** Sends each operation with each value of each parameter, and each sort with the filters and windows that change its scans. */
async function sendAll({ name, access, filter }: TestedCaller): Promise<void> {
  const scope = Object.entries(filter).map(([field, id]) => [
    PARAMETERS[field as keyof ScopeFilter],
    String(id),
  ]);
  const pending = OPERATIONS.filter(({ query }) =>
    scope.every(([parameter]) => query.has(parameter as string)),
  )
    .flatMap((operation) => queriesOf(operation).map((query) => ({ operation, query })))
    .map(({ operation, query }) => ({ operation, query: { ...query, ...Object.fromEntries(scope) } }));
  requests.set(name, pending.length);
  const send = async (path: string) => {
    let response = await fleet.get(path, access);
    // On a slow machine, a read may time out.
    while (response.status === 502) response = await fleet.get(path, access);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as { next_page_token?: string };
  };
  const sendNext = async (): Promise<void> => {
    const { operation, query } = pending.pop() ?? {};
    if (operation === undefined) return;
    const ids = idsOf(ALERTS[0]!, GPUS[0]!);
    const { next_page_token: token } = await send(pathOf(operation.path, ids, query));
    if (token !== undefined) await send(pathOf(operation.path, ids, { ...query, page_token: token }));
    await sendNext();
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, sendNext));
}

function queriesOf({ query, isPaginated }: DocumentedOperation): Record<string, string>[] {
  const page = isPaginated ? { page_size: '3' } : {};
  const values = (name: string) =>
    (query.get(name) ?? []).slice(
      0,
      name === 'sort' ? undefined : /\[(?:in|notIn)\]|^from$|^page_size$|^view$/.test(name) ? 3 : 1,
    );
  const single = [...query.keys()].flatMap((name) =>
    values(name).map((value) => ({ ...page, [name]: value })),
  );
  const narrowing = ['filter[severity][in]', 'filter[title][contains]', 'from'].filter((name) =>
    query.has(name),
  );
  const sorted = values('sort').flatMap((sort) =>
    narrowing.map((name) => ({ ...page, sort, [name]: values(name)[0] as string })),
  );
  return [page, ...single, ...sorted];
}

/** Returns the rows of statements as texts, in an order of their own. */
async function resultsOf(client: pg.Client, sent: readonly LoggedStatement[]): Promise<string[]> {
  const results: string[] = [];
  for (const { text, parameters } of sent) {
    const { rows } = await client.query<object>(text, parameters);
    results.push(
      rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    );
  }
  return results;
}

/**
 * Returns the statements with other rows in a database that contains only the rows in scope.
 *
 * @returns with the number of rows that were deleted, by table
 */
async function dependentOnOthers(
  scopes: readonly AccessScope[],
  sent: readonly LoggedStatement[],
): Promise<{ faults: string[]; deleted: Map<string, number> }> {
  return withClient(fleet.database.administratorUrl, async (client) => {
    const deleted = new Map<string, number>();
    await client.query('BEGIN');
    const before = await resultsOf(client, sent);
    for (const [table, statement] of deletionsOutside(scopes))
      deleted.set(table, (await client.query(statement)).rowCount ?? 0);
    const after = await resultsOf(client, sent);
    await client.query('ROLLBACK');
    return { faults: sent.filter((_one, n) => before[n] !== after[n]).map(({ text }) => text), deleted };
  });
}

/** Returns the faults of the scans of statements. */
async function scanFaults(
  scopes: readonly AccessScope[],
  sent: readonly LoggedStatement[],
): Promise<string[]> {
  const hasAllWorkspaces = scopes.some(({ workspaceIds }) => workspaceIds === 'all');
  return withClient(fleet.database.administratorUrl, async (client) => {
    // Conditions on a joined row are then conditions of the scan.
    await client.query('SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off');
    const faults: string[] = [];
    for (const { text } of sent)
      for (const fault of await scansOutsideScope(client, text, { hasAllWorkspaces }))
        faults.push(`${fault}: ${text}`);
    return faults;
  });
}

describe.each(CALLERS)(
  'the statements of all documented operations, for $name',
  ({ name, access, filter }) => {
    const scopes = accessScopes(access, filter);

    it('were sent and read alerts, GPUs and metrics', () => {
      expect(requests.get(name)).toBeGreaterThan(50);
      const sent = statements.get(name) ?? [];
      const tables = new Set(sent.flatMap(({ text }) => text.match(/(?<=\bfleet\.)[a-z_]+/g) ?? []));
      expect([...tables]).toEqual(
        expect.arrayContaining(['alerts', 'alert_past_states', 'alert_counts', 'gpus', 'metric_days']),
      );
      expect(sent.length).toBeGreaterThan(50);
    });

    it('have conditions on the customer and the workspaces at each scan of a tenant table', async () => {
      expect(await scanFaults(scopes, statements.get(name) ?? [])).toEqual([]);
    });

    it('return the same rows from a database without any other row', async () => {
      const { faults, deleted } = await dependentOnOthers(scopes, statements.get(name) ?? []);
      expect(faults).toEqual([]);
      for (const table of [
        'alerts',
        'alert_past_states',
        'gpus',
        'alert_counts',
        'metric_days',
        'entity_counts',
        'gpu_xid_events',
        'gpu_processes',
        'gpu_workloads',
        'entities',
        'host_samples',
      ])
        expect([table, deleted.get(table)]).not.toEqual([table, 0]);
    });
  },
);

describe('the checks report a statement', () => {
  const versions = "(SELECT json_agg(p.seq) FROM fleet.data_versions p WHERE p.customer_id = ANY ('{1}'))";
  it.each([
    [
      'without a predicate',
      'SELECT a.doc FROM fleet.alerts a',
      ['alerts without the customer', 'alerts without the workspaces'],
    ],
    [
      'with a predicate of the data versions only',
      `SELECT a.doc, ${versions} FROM fleet.alerts a`,
      ['alerts without the customer', 'alerts without the workspaces'],
    ],
    [
      'with the customer only',
      'SELECT a.doc FROM fleet.alerts a WHERE a.customer_id = 1',
      ['alerts without the workspaces'],
    ],
    [
      'with the customer of a joined row only',
      'SELECT d.doc FROM fleet.alerts a JOIN fleet.alerts d ON d.customer_id = a.customer_id WHERE a.customer_id = 1 AND a.workspace_id = 2',
      ['alerts without the workspaces'],
    ],
    [
      'on GPU telemetry with the customer only',
      'SELECT count(*) FROM fleet.gpu_xid_events e WHERE e.customer_id = 1',
      ['gpu_xid_events without the workspaces'],
    ],
    [
      'on totals of the customer',
      'SELECT sum(c.n) FROM fleet.alert_counts c WHERE c.customer_id = 1',
      ['alert_counts without the workspaces'],
    ],
    [
      'with the workspaces in one of two reads of a common table expression',
      'WITH found AS MATERIALIZED (SELECT a.doc, a.workspace_id FROM fleet.alerts a WHERE a.customer_id = 1) SELECT f.doc FROM found f WHERE f.workspace_id = 2 UNION ALL SELECT f.doc FROM found f',
      ['alerts without the workspaces'],
    ],
  ])('%s', async (_what, text, expected) => {
    const scopes = accessScopes(ALL, { workspaceId: 2 });
    const sent = [{ role: 'fleet_api', text, parameters: [] }];
    expect(await scanFaults(scopes, sent)).toEqual(expected.map((fault) => `${fault}: ${text}`));
    expect((await dependentOnOthers(scopes, sent)).faults).toEqual([text]);
  });

  it('with the condition of another workspace', async () => {
    const text = 'SELECT a.doc FROM fleet.alerts a WHERE a.customer_id = $1 AND a.workspace_id = $2';
    const scopes = accessScopes(ALL, { workspaceId: 2 });
    const faultsOf = async (parameters: string[]) =>
      (await dependentOnOthers(scopes, [{ role: 'fleet_api', text, parameters }])).faults;
    expect(await faultsOf(['1', '3'])).toEqual([text]);
    expect(await faultsOf(['1', '2'])).toEqual([]);
  });
});
