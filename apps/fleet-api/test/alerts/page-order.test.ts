import pg from 'pg';
import { TenantStatement } from '../../src/api/access/tenant-statement.ts';
import { ALL_ALERTS } from '../../src/api/alerts/alert-relations.sql.ts';
import { parseSelection } from '../../src/api/alerts/filters/alert-selection.ts';
import { parseSort, type SortKey } from '../../src/api/alerts/order/alert-sorts.ts';
import { orderNameOf, PAGE_ORDERS } from '../../src/api/alerts/order/page-orders.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, minutesAgo, uuid } from '../support/records.ts';

const PAGE = 50;
const WORKSPACES = [10, 11, 12];

let database: pg.Client;
afterAll(() => database.end());
const fleet = useFleetService();

beforeAll(async () => {
  database = new pg.Client({ connectionString: fleet.database.administratorUrl });
  await database.connect();
  // The table is too small for its indexes.
  await database.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

/** Returns how many rows of the table a page reads, and in how many scans. */
async function costOfPage(sort: string, after: SortKey | null): Promise<{ rows: number; scans: number }> {
  const listing = { sort: parseSort(sort), selection: parseSelection({}) };
  const order = PAGE_ORDERS[orderNameOf(listing)];
  const statement = new TenantStatement(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${order.rowsSql([ALL_ALERTS.workspaces])}`,
  );
  const scope = { customerId: 1, workspaceIds: WORKSPACES };
  const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    statement.text,
    statement.with({ ...order.parameters(listing, after), limit: PAGE }).values(scope),
  );
  const cost = { rows: 0, scans: 0 };
  const add = ({ Plans = [], ...node }: PlanNode) => {
    if (node['Relation Name']?.startsWith('alerts')) {
      cost.rows += node['Actual Rows'] * node['Actual Loops'];
      cost.scans += node['Actual Loops'];
    }
    Plans.forEach(add);
  };
  add(rows[0]!['QUERY PLAN'][0].Plan);
  return cost;
}

describe.each([
  ['hosts with one alert each', (n: number) => `host-${String(n).padStart(4, '0')}`],
  ['two hosts with many alerts', (n: number) => `host-${n % 2}`],
  ['no hosts', () => null],
])('a page by hostname of %s', (_name, hostnameOf) => {
  const createdAt = minutesAgo(1);
  beforeAll(async () => {
    await database.query('TRUNCATE fleet.alerts, fleet.alert_details, fleet.alert_counts');
    await fleet.import(
      Array.from({ length: 900 }, (_unused, n) =>
        alertRecord(n + 1, {
          hostname: hostnameOf(n),
          workspace_id: WORKSPACES[n % WORKSPACES.length],
          created_at: createdAt,
        }),
      ),
    );
    await database.query('ANALYZE fleet.alerts');
  });

  it.each(['hostname', '-hostname'])(
    'reads at most three pages of each workspace, in one scan per range: %s',
    async (sort) => {
      for (const after of [null, [hostnameOf(450), Date.parse(createdAt), uuid(450)] as SortKey]) {
        const { rows, scans } = await costOfPage(sort, after);
        expect(rows).toBeGreaterThan(PAGE);
        expect(rows).toBeLessThanOrEqual(3 * (PAGE + 1) * WORKSPACES.length);
        expect(scans).toBeLessThanOrEqual(4 * WORKSPACES.length);
      }
    },
  );
});
