import { query, withClient } from '@gpu-observatory/embedded-database';
import { TenantStatement } from '../../src/api/access/tenant-statement.ts';
import * as alertDetail from '../../src/api/alerts/alert-detail.statements.ts';
import * as alerts from '../../src/api/alerts/alerts.statements.ts';
import * as alertGroups from '../../src/api/alerts/groups/alert-groups.statements.ts';
import * as alertCounts from '../../src/api/alerts/counts/alert-counts.statements.ts';
import * as fleetUsage from '../../src/api/fleet-usage/fleet-usage.statements.ts';
import * as gpuDetail from '../../src/api/gpus/gpu-detail.statements.ts';
import * as gpuHistory from '../../src/api/gpu-history/gpu-history.statements.ts';
import * as gpuStatus from '../../src/api/gpu-status/gpu-status.statements.ts';
import * as hosts from '../../src/api/hosts/hosts.statements.ts';
import * as gpus from '../../src/api/gpus/gpus.statements.ts';
import * as metrics from '../../src/api/metrics/metrics.statements.ts';
import * as xidIncidents from '../../src/api/xid-incidents/xid-incidents.statements.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { alertRecord, gpuRecord, minutesAgo, sampleRecord, xidRecord } from '../support/records.ts';
import { scansOutsideScope } from '../support/tenant-scans.ts';

/** Statements with their path, such as `FIRST_PAGES.newest.customer`. */
function statementsIn(value: unknown, path: string): [path: string, statement: TenantStatement][] {
  if (value instanceof TenantStatement) return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    statementsIn(member, path === '' ? name : `${path}.${name}`),
  );
}

const CATALOG = [
  alertDetail,
  alerts,
  alertCounts,
  alertGroups,
  fleetUsage,
  gpuDetail,
  gpus,
  gpuStatus,
  gpuHistory,
  hosts,
  metrics,
  xidIncidents,
].flatMap((module) => statementsIn({ ...module }, ''));
const fleet = useFleetService();
// Creates partitions, with enough alerts of each workspace to tell the indexes apart.
beforeAll(async () => {
  await fleet.import([
    ...Array.from({ length: 2_000 }, (_unused, n) =>
      alertRecord(n + 1, {
        workspace_id: n % 20 === 0 ? null : n % 20,
        api_key_id: n % 3 === 0 ? 7 : null,
        created_at: minutesAgo(n),
      }),
    ),
    gpuRecord('GPU-1'),
    sampleRecord('GPU-1', minutesAgo(1), { utilization_pct: 50 }),
    { kind: 'host_sample', customer_id: 1, workspace_id: 10, at: minutesAgo(1), hostname: 'host-1' },
    ...Array.from({ length: 300 }, (_unused, n) => [
      gpuRecord(`GPU-x${n}`, { hostname: `node-${n}` }),
      xidRecord(`GPU-x${n}`, minutesAgo(n), 31),
    ]).flat(),
  ]);
  await query(fleet.database.administratorUrl, 'ANALYZE');
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Returns the nodes of the generic plan, on tables that are too small for indexes. */
async function plan({ text }: TenantStatement): Promise<PlanNode[]> {
  return withClient(fleet.database.administratorUrl, async (client) => {
    await client.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (GENERIC_PLAN, COSTS OFF, FORMAT JSON) ${text}`,
    );
    return nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan);
  });
}

it('has at most 144 texts, of which at most 48 are prepared', () => {
  expect(new Set(CATALOG.map(([, { text }]) => text)).size).toBe(CATALOG.length);
  expect(CATALOG.length).toBeGreaterThan(100);
  expect(CATALOG.length).toBeLessThanOrEqual(144);
  expect(CATALOG.filter(([, { name }]) => name !== undefined).length).toBeLessThanOrEqual(48);
});

it('reads tenant tables by the customer and the workspaces, and by indexes only', async () => {
  const faults: string[] = [];
  for (const [path, statement] of CATALOG) {
    const scans = (await plan(statement)).filter((node) => node['Relation Name'] !== undefined);
    expect([path, scans.length]).not.toEqual([path, 0]);
    for (const node of scans)
      if (!node['Node Type'].startsWith('Index')) faults.push(`${path}: ${node['Node Type']}`);
    await withClient(fleet.database.administratorUrl, async (client) => {
      await client.query('SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off');
      const hasAllWorkspaces = /\.(customer|all)(\.|$)/.test(path);
      for (const fault of await scansOutsideScope(client, statement.text, { hasAllWorkspaces }))
        faults.push(`${path}: ${fault}`);
    });
  }
  expect(faults).toEqual([]);
});

it('reads pages of the newest alerts with these texts', () => {
  const { FIRST_PAGES, NEWEST_ALERTS, PAGES_AS_OF } = alerts;
  expect(NEWEST_ALERTS.workspaces.text).toMatchSnapshot('newest alerts of several workspaces');
  expect(FIRST_PAGES.newest.customer?.text).toMatchSnapshot('first page of a customer');
  expect(PAGES_AS_OF.newest.workspaces?.text).toMatchSnapshot('later page of several workspaces');
});

const NEWEST = ['alerts_newest', 'alerts_newest_of_workspace', 'alerts_of_no_workspace', 'alerts_of_key'];

it.each([
  ['NEWEST_ALERTS.customer', ['alerts_newest', 'alert_counts_pkey']],
  ['NEWEST_ALERTS.workspaces', ['alerts_newest_of_workspace', 'alerts_of_no_workspace', 'alert_counts_pkey']],
  ['FIRST_PAGES.newest', NEWEST],
  ['FIRST_PAGES.oldest', NEWEST],
  ['FIRST_PAGES.newest.apiKey', ['alerts_of_key']],
  ...['severity', 'type', 'state'].map((field): [string, string[]] => [
    `FIRST_PAGES.${field}`,
    [`alerts_by_${field}`, `alerts_of_workspace_by_${field}`],
  ]),
  ['FIRST_PAGES.newest:type,severity', ['alerts_by_type_and_severity']],
  ['FIRST_PAGES.hostname', ['alerts_by_hostname', 'alerts_of_workspace_by_hostname']],
  ['FIRST_PAGES.hostnameDescending', ['alerts_by_hostname', 'alerts_of_workspace_by_hostname']],
  ['TOTAL.workspaces', ['alert_counts_pkey', 'alerts_newest_of_workspace']],
  ['EARLIEST.workspaces', ['alerts_newest_of_workspace', 'alerts_of_no_workspace']],
  ['TOTAL.apiKey', ['alert_counts_pkey', 'alerts_of_key']],
  ['GPU_DETAIL', ['alerts_of_gpu']],
  ['FIRST_ROWS.customer.none', ['gpus_by_hostname', 'gpus_by_missing_at', 'gpus_critical', 'gpus_degraded']],
  ['METRICS.customer', ['metric_days_pkey', 'entity_counts_pkey', 'gpus_in_crash_chains']],
  ['COUNTS.summary.customer', ['alert_counts_pkey']],
  ['GPU_STATUS', ['gpus_pkey']],
  ['HOSTS', ['gpus_by_hostname', 'alerts_by_hostname', 'alerts_of_gpu']],
  [
    'HOST',
    ['gpus_by_hostname', 'entities_pkey', 'host_samples_pkey', 'gpu_processes_pkey', 'gpu_workloads_pkey'],
  ],
  ['GPU_HISTORY.samples', ['gpus_pkey', 'gpu_samples_pkey']],
  ['GPU_HISTORY.days', ['gpus_pkey', 'gpu_days_pkey']],
  ['STORED_GROUPS.customer', ['alert_counts_pkey', 'alerts_by_type', 'alerts_by_severity', 'alerts_newest']],
  ['ROW_GROUPS.workspaces', ['alerts_newest_of_workspace', 'alerts_of_no_workspace']],
  ['FLEET_USAGE', ['gpu_day_sums_pkey', 'gpu_days_pkey']],
  ['XID_INCIDENTS.all.time', ['gpu_xid_events_by_time']],
  ['XID_INCIDENTS.all.code', ['gpu_xid_incidents_by_code']],
  ['XID_INCIDENTS.host', ['gpus_by_hostname']],
])('%s reads %j', async (path, indexes) => {
  const ofPath = CATALOG.filter(([name]) => name === path || name.startsWith(`${path}.`));
  const used = (await Promise.all(ofPath.map(([, statement]) => plan(statement)))).flat();
  const names = await withClient(fleet.database.administratorUrl, async (client) => {
    // The index of a partition has a name of its own.
    const { rows } = await client.query<{ name: string; parent: string }>(
      `SELECT i.relname AS name, coalesce(p.relname, i.relname) AS parent FROM pg_class i
       LEFT JOIN pg_inherits h ON h.inhrelid = i.oid LEFT JOIN pg_class p ON p.oid = h.inhparent WHERE i.relkind = 'i'`,
    );
    return new Map(rows.map(({ name, parent }) => [name, parent]));
  });
  const usedNames = new Set(used.map((node) => names.get(node['Index Name'] ?? '')));
  expect(indexes.filter((index) => !usedNames.has(index))).toEqual([]);
});
