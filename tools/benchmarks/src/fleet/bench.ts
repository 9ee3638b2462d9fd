import type { TokenIssuer } from '@gpu-observatory/identity-provider';
import { type Comparison, compare } from '../comparison.ts';
import type { DataSet } from './data-set/data-set.ts';
import type { EmptyDatabase } from './database-server.ts';
import type { DatabaseTime } from './load/database-time.ts';
import type { LowerBound } from './load/lower-bound.ts';
import type { StatementLog } from './load/statement-log.ts';
import type { Target } from '../target.ts';

/** The contenders and instruments that each case measures with. */
export interface Bench {
  set: DataSet;
  /** fleet-api without its response cache, and the ORM baseline, as the administrator of customer 1. */
  fleetApi: Target;
  ormBaseline: Target;
  /** fleet-api with its response cache. */
  cachedFleetApi: Target;
  /** fleet-api without its response cache, as a user with five workspaces of customer 1. */
  fleetApiByWorkspaces: Target;
  /** fleet-api without its response cache, as many clients of customer 1 and as one of customer 2. */
  flooder: Target;
  neighbor: Target;
  /** A route that only verifies the token. */
  emptyRoute: Target;
  /** Null where pgbench is not installed. */
  lowerBound: LowerBound | null;
  statements: StatementLog;
  databaseTime: DatabaseTime;
  issuer: TokenIssuer;
  /** Creates a migrated database without rows. */
  emptyDatabase(): Promise<EmptyDatabase>;
  /** Duration of one measurement, and number of rounds. The best round counts, since other load only slows it. */
  seconds: number;
  rounds: number;
  /** Number of calls where the time of a call is measured instead of a rate. */
  calls: number;
  log(line: string): void;
}

export type Case = (bench: Bench) => Promise<Comparison[]>;

/** @returns calls per second */
type MeasureRate = (seconds: number) => Promise<number>;

/** The response that each further response must match. */
interface ExpectedResponse {
  status: number;
  bytes: number;
  headers?: Record<string, string>;
}

/**
 * Measures several contenders in turns, so that other load on the machine slows all of them.
 *
 * @returns the best rate of each, per second
 */
export async function bestRates({ rounds, seconds }: Bench, contenders: MeasureRate[]): Promise<number[]> {
  const best = contenders.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const [index, measure] of contenders.entries()) {
      best[index] = Math.max(best[index] as number, await measure(seconds));
    }
  }
  return best;
}

/** Returns a measurement of how often per second a target sends the expected response. */
export function requestRate(
  target: Target,
  path: string,
  expected: ExpectedResponse,
  concurrency?: number,
): MeasureRate {
  return async (seconds) => {
    const started = performance.now();
    const times = await target.times(path, { seconds, ...(concurrency && { concurrency }) }, expected);
    return (times.length / (performance.now() - started)) * 1000;
  };
}

/**
 * Compares fleet-api, uncached and cached, with the ORM baseline and the lower bound.
 *
 * @param lowerBound.sql replaces the statement that fleet-api itself sends
 */
export async function compareRates(
  bench: Bench,
  operation: string,
  [path, expected]: [string, ExpectedResponse],
  {
    baseline,
    lowerBound,
  }: {
    baseline: { limit: number; rate: MeasureRate };
    lowerBound: { limit: number; sql?: string | undefined };
  },
): Promise<Comparison[]> {
  const statement =
    lowerBound.sql === undefined
      ? await bench.statements.captureAlertStatement(() => bench.fleetApi.get(path))
      : { text: lowerBound.sql, values: [] };
  const [uncached, cached, baselineRate, lowerBoundRate] = (await bestRates(bench, [
    requestRate(bench.fleetApi, path, expected),
    requestRate(bench.cachedFleetApi, path, expected),
    baseline.rate,
    ...(bench.lowerBound ? [bench.lowerBound.measure(statement)] : []),
  ])) as [number, number, number, number | undefined];
  const against = `pgbench, ${lowerBound.sql === undefined ? 'same statement' : 'same columns'}`;
  return Object.entries({ [operation]: uncached, [`${operation}, cached`]: cached }).flatMap(
    ([name, ours]) => [
      compare(name, [ours, baselineRate], 'per second', 'ORM baseline', { speed: baseline.limit }),
      ...(lowerBoundRate === undefined
        ? []
        : [compare(name, [ours, lowerBoundRate], 'per second', against, { speed: lowerBound.limit })]),
    ],
  );
}

export const expectedResponse = (body: string) => ({ status: 200, bytes: Buffer.byteLength(body) });

/** @throws {Error} when a response is not what the case measures */
export function check(condition: boolean, expectation: string): void {
  if (!condition) throw new Error(`expected that ${expectation}`);
}
