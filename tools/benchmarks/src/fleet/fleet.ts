import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Access } from '@gpu-observatory/domain-types';
import { freePort } from '@gpu-observatory/embedded-database';
import type { Bench, Case } from './bench.ts';
import { alertCounts } from './cases/alert-counts.ts';
import { alertPages } from './cases/alert-pages.ts';
import { gpuLists } from './cases/gpu-lists.ts';
import { growth, type GrowthTargets } from './cases/growth.ts';
import { imports } from './cases/imports.ts';
import { fleetMetrics } from './cases/metrics.ts';
import { FLOODERS, neighbours } from './cases/neighbours.ts';
import { polls } from './cases/polls.ts';
import { singleAlerts } from './cases/single-alerts.ts';
import { tokenChecks } from './cases/tokens.ts';
import type { Comparison } from './comparison.ts';
import { startFleetApi } from './contenders/fleet-api.ts';
import { startProcess } from './contenders/service-process.ts';
import { startTokenIssuer, type TokenIssuer } from './contenders/token-issuer.ts';
import type { DataSet } from './data-set/data-set.ts';
import type { Size } from './data-set/size.ts';
import { type DatabaseServer, startDatabaseServer } from './database-server.ts';
import { DatabaseTime } from './load/database-time.ts';
import { findFloor } from './load/floor.ts';
import { SentStatements } from './load/sent-statements.ts';
import { CROWD, Target } from './load/target.ts';

const contender = (name: string) => fileURLToPath(new URL(`contenders/${name}`, import.meta.url));

const ADMINISTRATOR: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const OF_TWO: Access = [...ADMINISTRATOR, { customer_id: 2, workspace_ids: 'all' }];
const NEIGHBOUR: Access = [{ customer_id: 2, workspace_ids: 'all' }];
const OF_WORKSPACES: Access = [{ customer_id: 1, workspace_ids: [101, 103, 107, 112, 118] }];

const NO_MEMORY = 0;
const USUAL_MEMORY_MB = 64;

/** What can be measured, by name. */
export const CASES = {
  pages: alertPages,
  counts: alertCounts,
  single: singleAlerts,
  gpus: gpuLists,
  metrics: fleetMetrics,
  polls,
  tokens: tokenChecks,
  neighbours,
  imports,
} satisfies Record<string, Case>;
export type CaseName = keyof typeof CASES | 'growth';
export const CASE_NAMES = [...(Object.keys(CASES) as (keyof typeof CASES)[]), 'growth'] as const;

export interface FleetBenchmark {
  size: Size;
  /** For each figure, and how often it is taken. */
  seconds: number;
  rounds: number;
  calls: number;
  cases: readonly CaseName[];
  tell(line: string): void;
}

type Stopping = (() => Promise<unknown>)[];

/**
 * What fleet-api costs beside the floor and the usual way, and how that grows with the rows.
 *
 * @param directory where data sets are kept between runs
 */
export async function benchmarkFleet(directory: string, options: FleetBenchmark): Promise<Comparison[]> {
  const server = await startDatabaseServer(directory, options.tell);
  try {
    return await measureFleet(server, options);
  } finally {
    await server.stop();
  }
}

/** The same on a server that runs. */
export async function measureFleet(server: DatabaseServer, options: FleetBenchmark): Promise<Comparison[]> {
  const { size, cases, calls, tell } = options;
  const stopping: Stopping = [];
  try {
    const issuer = await startTokenIssuer();
    stopping.push(() => issuer.stop());
    const set = await server.dataSet(size);
    const comparisons: Comparison[] = [];
    const stop = stopping.length;
    const bench = await prepare(server, issuer, set, options, stopping);
    for (const [name, measure] of Object.entries(CASES) as [CaseName, Case][]) {
      if (!cases.includes(name)) continue;
      tell(`measuring ${name}, load ${(loadavg()[0] as number).toFixed(1)}`);
      comparisons.push(...(await measure(bench)));
    }
    for (const end of stopping.splice(stop).reverse()) await end();
    if (cases.includes('growth')) {
      const smaller = await server.dataSet({ ...size, alerts: Math.ceil(size.alerts / 10) });
      const small = await growthTargets(server, issuer, smaller, stopping);
      const large = await growthTargets(server, issuer, set, stopping);
      tell(`measuring growth, load ${(loadavg()[0] as number).toFixed(1)}`);
      comparisons.push(...(await growth(small, large, calls)));
    }
    return comparisons;
  } finally {
    for (const end of stopping.reverse()) await end();
  }
}

async function prepare(
  server: DatabaseServer,
  issuer: TokenIssuer,
  set: DataSet,
  { seconds, rounds, calls }: FleetBenchmark,
  stopping: Stopping,
): Promise<Bench> {
  const apiUrl = server.urlOf('fleet_api', set.url);
  const fleetApi = await startFleetApi(apiUrl, issuer, NO_MEMORY);
  stopping.push(() => fleetApi.stop());
  const remembering = await startFleetApi(apiUrl, issuer, USUAL_MEMORY_MB);
  stopping.push(() => remembering.stop());
  const environment = {
    DATABASE_URL: apiUrl,
    JWKS_URL: `${issuer.url}/.well-known/jwks.json`,
    TOKEN_ISSUER: issuer.url,
  };
  const started: string[] = [];
  for (const name of ['usual-way.ts', 'empty-route.ts']) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const process = await startProcess(contender(name), {
      url,
      readyUrl: url,
      environment: { ...environment, PORT: String(port) },
    });
    stopping.push(() => process.stop());
    started.push(url);
  }
  const target = async (url: string, access: Access, connections?: number) => {
    const made = new Target(url, await issuer.token(access), connections);
    stopping.push(() => made.stop());
    return made;
  };
  const databaseTime = await DatabaseTime.open(set.url);
  stopping.push(() => databaseTime.close());
  const statements = await SentStatements.open(set.url);
  stopping.push(() => statements.close());
  return {
    set,
    fleetApi: await target(fleetApi.url, ADMINISTRATOR),
    rememberingFleetApi: await target(remembering.url, ADMINISTRATOR, CROWD),
    fleetApiByWorkspaces: await target(fleetApi.url, OF_WORKSPACES),
    flooder: await target(fleetApi.url, ADMINISTRATOR, FLOODERS),
    neighbour: await target(fleetApi.url, NEIGHBOUR),
    usualWay: await target(started[0] as string, ADMINISTRATOR),
    emptyRoute: await target(started[1] as string, ADMINISTRATOR, CROWD),
    floor: await findFloor(apiUrl),
    statements,
    databaseTime,
    issuer,
    emptyDatabase: () => server.emptyDatabase(),
    seconds,
    rounds,
    calls,
  };
}

async function growthTargets(
  server: DatabaseServer,
  issuer: TokenIssuer,
  set: DataSet,
  stopping: Stopping,
): Promise<GrowthTargets> {
  const fleetApi = await startFleetApi(server.urlOf('fleet_api', set.url), issuer, NO_MEMORY);
  stopping.push(() => fleetApi.stop());
  const target = async (access: Access) => {
    const made = new Target(fleetApi.url, await issuer.token(access));
    stopping.push(() => made.stop());
    return made;
  };
  return {
    oneCustomer: await target(ADMINISTRATOR),
    twoCustomers: await target(OF_TWO),
    fiveWorkspaces: await target(OF_WORKSPACES),
  };
}
