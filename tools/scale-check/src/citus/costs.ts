import { cpuTimeOf } from '@gpu-observatory/embedded-database';
import type { FleetSide } from './fleet-side.ts';
import type { Rate } from './rates.ts';

/** Cost of one request. Times in ms. */
export interface Cost {
  /** CPU time. */
  api: number;
  coordinator: number;
  /** CPU time of all nodes but the coordinator. */
  workers: number;
  /** Statements of the workers and their elapsed times. Zero without `pg_stat_statements.track_planning`. */
  statements: number;
  planning: number;
  execution: number;
}

interface NodeUsage {
  isCoordinator: boolean;
  /** CPU time in ns of each server process of fleet-api. */
  cpu: Record<string, number>;
  statements: number;
  planning: number;
  execution: number;
}

/** Returns the rate and the average cost of the requests that `send` sends. Needs `/proc`: all servers and fleet-api run on Linux. */
export async function measureCost(
  side: FleetSide,
  send: () => Promise<Rate>,
): Promise<{ rate: Rate; cost: Cost }> {
  const apiBefore = cpuTimeOf(side.processId);
  const before = await nodeUsages(side);
  const rate = await send();
  const api = cpuTimeOf(side.processId) - apiBefore;
  const cost: Cost = { api: api / 1e6, coordinator: 0, workers: 0, statements: 0, planning: 0, execution: 0 };
  for (const [n, after] of (await nodeUsages(side)).entries()) {
    const earlier = before[n]!;
    // A process that started meanwhile has used all of its time for the requests.
    const cpu = Object.entries(after.cpu).reduce((sum, [pid, ns]) => sum + ns - (earlier.cpu[pid] ?? 0), 0);
    cost[after.isCoordinator ? 'coordinator' : 'workers'] += cpu / 1e6;
    if (after.isCoordinator) continue;
    for (const key of ['statements', 'planning', 'execution'] as const)
      cost[key] += after[key] - earlier[key];
  }
  for (const key of Object.keys(cost) as (keyof Cost)[]) cost[key] /= rate.requests;
  return { rate, cost };
}

const CPU_SQL = `SELECT coalesce(json_object_agg(pid, split_part(pg_read_file(format('/proc/%s/schedstat', pid), 0, 100, true), ' ', 1)::bigint), '{}')
  FROM pg_stat_activity WHERE usename = 'fleet_api' AND datname = current_database()`;
const STATEMENTS_SQL = `SELECT json_build_object('statements', coalesce(sum(calls), 0), 'planning', coalesce(sum(total_plan_time), 0),
    'execution', coalesce(sum(total_exec_time), 0))
  FROM pg_stat_statements WHERE userid = 'fleet_api'::regrole
    AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

async function nodeUsages(side: FleetSide): Promise<NodeUsage[]> {
  const cpus = await onAllNodes(side, CPU_SQL);
  const statements = side.isDistributed ? await onAllNodes(side, STATEMENTS_SQL) : [];
  return cpus.map(({ isCoordinator, result }, n) => ({
    isCoordinator,
    statements: 0,
    planning: 0,
    execution: 0,
    ...(statements[n]?.result as object | null),
    cpu: result as Record<string, number>,
  }));
}

/** Returns the value that a statement selects on each node, null where it fails. Plain PostgreSQL is a coordinator. */
async function onAllNodes(
  side: FleetSide,
  sql: string,
): Promise<{ isCoordinator: boolean; result: unknown }[]> {
  if (!side.isDistributed) {
    const [row] = await side.query<object>(sql);
    return [{ isCoordinator: true, result: Object.values(row!)[0] }];
  }
  const rows = await side.query<{ coordinator: boolean; success: boolean; result: string }>(
    `SELECT n.groupid = 0 AS coordinator, r.success, r.result FROM run_command_on_all_nodes($1) r JOIN pg_dist_node n USING (nodeid) ORDER BY nodeid`,
    [sql],
  );
  return rows.map(({ coordinator, success, result }) => ({
    isCoordinator: coordinator,
    result: success ? (JSON.parse(result) as unknown) : null,
  }));
}
