import type { TokenIssuer } from '@gpu-observatory/identity-provider';
import { type Comparison, compare } from '../comparison.ts';
import type { DataSet } from './data-set/data-set.ts';
import type { EmptyDatabase } from './database-server.ts';
import type { DatabaseTime } from './load/database-time.ts';
import type { Load, MeasureLoad } from './load/load.ts';
import type { LowerBound } from './load/lower-bound.ts';
import type { LoggedStatement, StatementLog } from './load/statement-log.ts';
import type { ServiceProcess } from '../service-process.ts';
import { quantile, type Target } from '../target.ts';

/** The contenders and instruments that each case measures with. */
export interface Bench {
  set: DataSet;
  /** fleet-api without its response cache, and the ORM baseline on two HTTP adapters, as the administrator of customer 1. */
  fleetApi: Target;
  ormBaselines: OrmBaselines;
  /** A hand-written route, which sends a statement of fleet-api. */
  handWritten: Target;
  /** fleet-api with its response cache. */
  cachedFleetApi: Target;
  /** fleet-api without its response cache, as a user with five workspaces of customer 1. */
  fleetApiByWorkspaces: Target;
  /** fleet-api without its response cache, as many clients of customer 1 and as one of customer 2. */
  flooder: Target;
  neighbor: Target;
  /** A route that only verifies the token. */
  emptyRoute: Target;
  /** Servers whose CPU time is measured. */
  processIds: { fleetApi: number; handWritten: number; emptyRoute: number };
  /** Null where pgbench is not installed. */
  lowerBound: LowerBound | null;
  statements: StatementLog;
  databaseTime: DatabaseTime;
  issuer: TokenIssuer;
  /** Creates a migrated database without rows. */
  emptyDatabase(): Promise<EmptyDatabase>;
  startCachedFleetApi(databaseUrl: string): Promise<ServiceProcess>;
  /** Duration of one measurement, and number of rounds. The best round counts, since other load only slows it. */
  seconds: number;
  rounds: number;
  /** Number of calls where the time of a call is measured instead of a rate. */
  calls: number;
  log(line: string): void;
}

export interface OrmBaselines {
  express: Target;
  fastify: Target;
}

export type Case = (bench: Bench) => Promise<Comparison[]>;

/** The response that each further response must match. */
export interface ExpectedResponse {
  status: number;
  bytes: number;
  headers?: Record<string, string>;
}

/**
 * Measures several contenders in turns, after a warm-up of each, so that other load on the machine slows all of them.
 *
 * @returns the round with the best rate of each
 */
export async function bestLoads({ rounds, seconds }: Bench, contenders: MeasureLoad[]): Promise<Load[]> {
  for (const measure of contenders) await measure(seconds);
  const best = contenders.map((): Load => ({ perSecond: 0 }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, measure] of contenders.entries()) {
      const load = await measure(seconds);
      if (load.perSecond > (best[index] as Load).perSecond) best[index] = load;
    }
  }
  return best;
}

/** Maximum number of measurements until a service is warm. V8 compiles a large service later than a small one. */
const MAX_WARM_UPS = 10;
/** A service is warm when its rate has risen by less than this in two measurements, as other work slows single ones. */
const MAX_RISE = 1.03;

/** Sends requests until a service, just started, is no longer becoming faster. */
export async function warmUp(measure: MeasureLoad, seconds: number): Promise<void> {
  let best = 0;
  let withoutRise = 0;
  for (let n = 0; n < MAX_WARM_UPS && withoutRise < 2; n++) {
    const { perSecond } = await measure(seconds);
    withoutRise = perSecond < best * MAX_RISE ? withoutRise + 1 : 0;
    best = Math.max(best, perSecond);
  }
}

/** Returns a measurement of how often per second, and how fast, a target sends the expected response. */
export function requestLoad(
  target: Target,
  path: string,
  expected: ExpectedResponse,
  concurrency?: number,
): MeasureLoad {
  return async (seconds) => {
    const started = performance.now();
    const times = await target.times(path, { seconds, ...(concurrency && { concurrency }) }, expected);
    return {
      perSecond: (times.length / (performance.now() - started)) * 1000,
      latency: { p50: quantile(times, 0.5), p99: quantile(times, 0.99) },
    };
  };
}

export function compareLoads(
  operation: string,
  [ours, theirs]: readonly [Load, Load],
  against: string,
  required: Comparison['required'] = null,
): Comparison {
  const rates = [ours.perSecond, theirs.perSecond] as const;
  return { ...compare(operation, rates, 'per second', against, required), latency: ours.latency };
}

/** Required speed relative to each reference. */
interface Limits {
  /** The ORM baseline on Express. */
  orm: number;
  handWritten?: number;
  /** fleet-api's own statement in pgbench. */
  pgbench: number;
}

/** Compares fleet-api, uncached and cached, with the ORM baselines, the hand-written route and the lower bounds. */
export async function compareRates(
  bench: Bench,
  operation: string,
  {
    path,
    expected,
    baselines,
    leanSql,
    limits,
  }: {
    path: string;
    expected: ExpectedResponse;
    baselines: Record<keyof OrmBaselines, MeasureLoad>;
    /** A statement that reads the same rows and nothing else. */
    leanSql: string;
    limits: { uncached: Limits; cached: Limits };
  },
): Promise<Comparison[]> {
  const own = await bench.statements.captureAlertStatement(() => bench.fleetApi.get(path));
  const { lowerBound } = bench;
  const contenders: Record<string, MeasureLoad> = {
    uncached: requestLoad(bench.fleetApi, path, expected),
    cached: requestLoad(bench.cachedFleetApi, path, expected),
    'ORM baseline on Express': baselines.express,
    'ORM baseline on Fastify': baselines.fastify,
    'hand-written route, same statement': requestLoad(bench.handWritten, '/', await sendByHand(bench, own)),
    ...(lowerBound && {
      'pgbench, same statement': lowerBound.measure(own),
      'pgbench, lean statement': lowerBound.measure({ text: leanSql, values: [] }),
    }),
  };
  const loads = await bestLoads(bench, Object.values(contenders));
  const [uncached, cached, ...references] = loads as [Load, Load, ...Load[]];
  const names = Object.keys(contenders).slice(2);
  return (['uncached', 'cached'] as const).flatMap((name) =>
    names.map((against, n) => {
      const ours = name === 'uncached' ? uncached : cached;
      const limit = limitOf(limits[name], against);
      return compareLoads(
        name === 'uncached' ? operation : `${operation}, cached`,
        [ours, references[n] as Load],
        against,
        limit === undefined ? null : { speed: limit },
      );
    }),
  );
}

function limitOf({ orm, handWritten, pgbench }: Limits, against: string): number | undefined {
  if (against === 'ORM baseline on Express') return orm;
  if (against.startsWith('hand-written')) return handWritten;
  return against === 'pgbench, same statement' ? pgbench : undefined;
}

/** Has the hand-written route send this statement, and returns its response. */
export async function sendByHand(
  { handWritten }: Bench,
  statement: LoggedStatement,
): Promise<ExpectedResponse> {
  await handWritten.put('/statement', statement);
  const { status, body } = await handWritten.get('/');
  check(status === 200 && body.length > 100, 'the hand-written route returns rows');
  return expectedResponse(body);
}

export const expectedResponse = (body: string) => ({ status: 200, bytes: Buffer.byteLength(body) });

/** @throws {Error} when a response is not what the case measures */
export function check(condition: boolean, expectation: string): void {
  if (!condition) throw new Error(`expected that ${expectation}`);
}
