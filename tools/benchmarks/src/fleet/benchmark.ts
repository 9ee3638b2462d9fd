import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Access } from '@gpu-observatory/domain-types';
import { freePort } from '@gpu-observatory/embedded-database';
import { startTokenIssuer, type TokenIssuer } from '@gpu-observatory/identity-provider';
import { type Bench, type Case, expectedResponse, requestLoad, warmUp } from './bench.ts';
import { alertCounts } from './cases/alert-counts.ts';
import { alertPages } from './cases/alert-pages.ts';
import { gpuLists } from './cases/gpu-lists.ts';
import { growth, type GrowthTargets } from './cases/growth.ts';
import { imports } from './cases/imports.ts';
import { largePages } from './cases/large-pages.ts';
import { liveImports } from './cases/live-imports.ts';
import { cpuTimes } from './cases/cpu-times.ts';
import { fleetMetrics } from './cases/metrics.ts';
import { FLOODERS, noisyNeighbor } from './cases/noisy-neighbor.ts';
import { polls } from './cases/polls.ts';
import { singleAlerts } from './cases/single-alerts.ts';
import { texts } from './cases/texts.ts';
import { tokenChecks } from './cases/tokens.ts';
import type { Comparison } from '../comparison.ts';
import { startFleetApi } from './contenders/fleet-api.ts';
import { type ServiceProcess, startProcess } from '../service-process.ts';
import type { DataSet } from './data-set/data-set.ts';
import type { Size } from './data-set/size.ts';
import { type DatabaseServer, startDatabaseServer } from './database-server.ts';
import { DatabaseTime } from './load/database-time.ts';
import { findLowerBound } from './load/lower-bound.ts';
import { StatementLog } from './load/statement-log.ts';
import { DASHBOARDS, Target } from '../target.ts';

const contender = (name: string) => fileURLToPath(new URL(`contenders/${name}`, import.meta.url));

const ADMINISTRATOR: Access = [{ customer_id: 1, workspace_ids: 'all' }];
const TWO_CUSTOMERS: Access = [...ADMINISTRATOR, { customer_id: 2, workspace_ids: 'all' }];
const NEIGHBOR: Access = [{ customer_id: 2, workspace_ids: 'all' }];
const FIVE_WORKSPACES: Access = [{ customer_id: 1, workspace_ids: [101, 103, 107, 112, 118] }];

const NO_CACHE = 0;
const DEFAULT_CACHE_MB = 64;

export const CASES = {
  pages: alertPages,
  texts,
  counts: alertCounts,
  single: singleAlerts,
  gpus: gpuLists,
  metrics: fleetMetrics,
  polls,
  cpu: cpuTimes,
  tokens: tokenChecks,
  neighbors: noisyNeighbor,
  'large-pages': largePages,
  'live-imports': liveImports,
  imports,
} satisfies Record<string, Case>;
export type CaseName = keyof typeof CASES | 'growth';
export const CASE_NAMES = [...(Object.keys(CASES) as (keyof typeof CASES)[]), 'growth'] as const;

/** Cases that measure rates. */
const RATES: readonly CaseName[] = ['pages', 'single', 'gpus', 'metrics', 'polls', 'cpu'];
/** GPUs of the smaller data set for growth, which measures alerts only. */
const GROWTH_GPUS = 100;

export interface FleetBenchmark {
  size: Size;
  /** Duration of one measurement, and number of rounds. */
  seconds: number;
  rounds: number;
  calls: number;
  cases: readonly CaseName[];
  log(line: string): void;
}

/**
 * Compares fleet-api with the ORM baseline and the lower bound, and with itself on a tenth of the rows.
 *
 * @param directory of the data sets, which are kept between runs
 * @yields the comparisons of each case
 */
export async function* benchmarkFleet(
  directory: string,
  options: FleetBenchmark,
): AsyncGenerator<Comparison[]> {
  const server = await startDatabaseServer(directory, options.log);
  try {
    yield* measureFleet(server, options);
  } finally {
    await server.stop();
  }
}

export async function* measureFleet(
  server: DatabaseServer,
  options: FleetBenchmark,
): AsyncGenerator<Comparison[]> {
  const { size, cases, calls, log } = options;
  const logStart = (name: string) =>
    log(`measuring ${name}, load average ${(loadavg()[0] as number).toFixed(1)}`);
  const issuer = await startTokenIssuer();
  await using started = new AsyncDisposableStack();
  started.defer(() => issuer.stop());
  const set = await server.dataSet(size);
  {
    await using contenders = new AsyncDisposableStack();
    const bench = await prepare(server, issuer, set, options, contenders);
    if (cases.some((name) => RATES.includes(name))) await warmUpServices(bench);
    for (const [name, measure] of Object.entries(CASES) as [CaseName, Case][]) {
      if (!cases.includes(name)) continue;
      logStart(name);
      yield await measure(bench);
    }
  }
  if (cases.includes('growth')) {
    const smaller = await server.dataSet({
      ...size,
      alerts: Math.ceil(size.alerts / 10),
      gpus: Math.min(size.gpus, GROWTH_GPUS),
    });
    const small = await growthTargets(server, issuer, smaller, started);
    const large = await growthTargets(server, issuer, set, started);
    logStart('growth');
    yield await growth(small, large, { calls, alerts: size.alerts });
  }
}

async function warmUpServices({ fleetApi, cachedFleetApi, ormBaselines, seconds }: Bench): Promise<void> {
  for (const [target, path] of [
    [fleetApi, '/api/v1/alerts/?page_size=50'],
    [cachedFleetApi, '/api/v1/alerts/?page_size=50'],
    [ormBaselines.express, '/alerts?page_size=50'],
    [ormBaselines.fastify, '/alerts?page_size=50'],
  ] as const) {
    const { body } = await target.get(path);
    await warmUp(requestLoad(target, path, expectedResponse(body)), seconds);
  }
}

async function prepare(
  server: DatabaseServer,
  issuer: TokenIssuer,
  set: DataSet,
  { seconds, rounds, calls, log }: FleetBenchmark,
  started: AsyncDisposableStack,
): Promise<Bench> {
  const apiUrl = server.urlOf('fleet_api', set.url);
  const environment = {
    DATABASE_URL: apiUrl,
    JWKS_URL: `${issuer.url}/.well-known/jwks.json`,
    TOKEN_ISSUER: issuer.url,
  };
  const startContender = async (name: string, more: Record<string, string> = {}) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    return startProcess(contender(name), {
      url,
      readyUrl: url,
      environment: { ...environment, ...more, PORT: String(port) },
    });
  };
  const stopLater = async (starting: Promise<ServiceProcess>) => {
    const process = await starting;
    started.defer(() => process.stop());
    return process;
  };
  const [fleetApi, cached, express, onFastify, handWritten, emptyRoute] = await Promise.all([
    stopLater(startFleetApi(apiUrl, issuer, NO_CACHE)),
    stopLater(startFleetApi(apiUrl, issuer, DEFAULT_CACHE_MB)),
    stopLater(startContender('orm-baseline.ts')),
    stopLater(startContender('orm-baseline.ts', { HTTP_ADAPTER: 'fastify' })),
    stopLater(startContender('hand-written.ts')),
    stopLater(startContender('empty-route.ts')),
  ]);
  const target = async (url: string, access: Access, connections?: number) => {
    const created = new Target(url, await issuer.headers(access), connections);
    started.defer(() => created.stop());
    return created;
  };
  const databaseTime = await DatabaseTime.open(set.url);
  started.defer(() => databaseTime.close());
  const statements = await StatementLog.open(set.url);
  started.defer(() => statements.close());
  return {
    set,
    fleetApi: await target(fleetApi.url, ADMINISTRATOR),
    cachedFleetApi: await target(cached.url, ADMINISTRATOR, DASHBOARDS),
    fleetApiByWorkspaces: await target(fleetApi.url, FIVE_WORKSPACES),
    flooder: await target(fleetApi.url, ADMINISTRATOR, FLOODERS),
    neighbor: await target(fleetApi.url, NEIGHBOR),
    ormBaselines: {
      express: await target(express.url, ADMINISTRATOR),
      fastify: await target(onFastify.url, ADMINISTRATOR),
    },
    handWritten: await target(handWritten.url, ADMINISTRATOR),
    emptyRoute: await target(emptyRoute.url, ADMINISTRATOR, DASHBOARDS),
    processIds: {
      fleetApi: fleetApi.processId,
      handWritten: handWritten.processId,
      emptyRoute: emptyRoute.processId,
    },
    lowerBound: await findLowerBound(apiUrl, log),
    statements,
    databaseTime,
    issuer,
    emptyDatabase: () => server.emptyDatabase(),
    startCachedFleetApi: (url) => startFleetApi(url, issuer, DEFAULT_CACHE_MB),
    seconds,
    rounds,
    calls,
    log,
  };
}

async function growthTargets(
  server: DatabaseServer,
  issuer: TokenIssuer,
  set: DataSet,
  started: AsyncDisposableStack,
): Promise<GrowthTargets> {
  const fleetApi = await startFleetApi(server.urlOf('fleet_api', set.url), issuer, NO_CACHE);
  started.defer(() => fleetApi.stop());
  const target = async (access: Access) => {
    const created = new Target(fleetApi.url, await issuer.headers(access));
    started.defer(() => created.stop());
    return created;
  };
  return {
    oneCustomer: await target(ADMINISTRATOR),
    twoCustomers: await target(TWO_CUSTOMERS),
    fiveWorkspaces: await target(FIVE_WORKSPACES),
  };
}
