import type { TokenIssuer } from './contenders/token-issuer.ts';
import type { DataSet } from './data-set/data-set.ts';
import type { Comparison } from './comparison.ts';
import type { EmptyDatabase } from './database-server.ts';
import type { DatabaseTime } from './load/database-time.ts';
import type { Floor } from './load/floor.ts';
import type { SentStatements } from './load/sent-statements.ts';
import type { Target } from './load/target.ts';

/** What every case measures with. */
export interface Bench {
  set: DataSet;
  /** fleet-api, which makes each answer anew, and the usual way, asked as the administrator of customer 1. */
  fleetApi: Target;
  usualWay: Target;
  /** fleet-api as it is usually run: it gives answers again while their data are the same. */
  rememberingFleetApi: Target;
  /** fleet-api, asked as somebody with five workspaces of customer 1. */
  fleetApiByWorkspaces: Target;
  /** fleet-api, which makes each answer anew, asked by a crowd of customer 1, and by customer 2 beside it. */
  flooder: Target;
  neighbour: Target;
  /** A route that answers nothing. */
  emptyRoute: Target;
  floor: Floor;
  statements: SentStatements;
  databaseTime: DatabaseTime;
  /** Whose tokens fleet-api takes. */
  issuer: TokenIssuer;
  /** A migrated database with nothing in it. */
  emptyDatabase(): Promise<EmptyDatabase>;
  /** How long each figure is measured, and how often: the best of them counts, since others only ever slow it down. */
  seconds: number;
  rounds: number;
  /** How often something is asked whose time counts, not its rate. */
  calls: number;
}

export type Case = (bench: Bench) => Promise<Comparison[]>;

/**
 * The rates of several contenders in one run, by turns, so that whatever else the machine does slows all of them.
 *
 * @returns the best rate of each, per second
 */
export async function sideBySide({ rounds, seconds }: Bench, contenders: Rate[]): Promise<number[]> {
  const best = contenders.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      best[index] = Math.max(best[index] as number, await contender(seconds));
    }
  }
  return best;
}

/** How often a second a target answers this, each answer as long as the first. */
export function answering(
  target: Target,
  path: string,
  length: { status: number; bytes: number; headers?: Record<string, string> },
  concurrency?: number,
): Rate {
  return async (seconds) => {
    const begin = performance.now();
    const times = await target.times(path, { seconds, ...(concurrency && { concurrency }) }, length);
    return (times.length / (performance.now() - begin)) * 1000;
  };
}

type Rate = (seconds: number) => Promise<number>;

/**
 * How often fleet-api answers something, made anew and given again, beside the usual way and the floor: the statement that
 * fleet-api itself sends, unless another one is given.
 */
export async function ratesOf(
  bench: Bench,
  operation: string,
  [path, length]: [string, { status: number; bytes: number }],
  {
    usual,
    floor,
  }: { usual: { limit: number; rate: Rate }; floor: { limit: number; beside?: string | undefined } },
): Promise<Comparison[]> {
  const statement =
    floor.beside === undefined
      ? await bench.statements.over(() => bench.fleetApi.get(path))
      : { text: floor.beside, values: [] };
  const [anew, again, usualRate, floorRate] = (await sideBySide(bench, [
    answering(bench.fleetApi, path, length),
    answering(bench.rememberingFleetApi, path, length),
    usual.rate,
    (seconds) => bench.floor.rate(statement, seconds),
  ])) as [number, number, number, number];
  const floorName = `${bench.floor.name}, its ${floor.beside === undefined ? 'statement' : 'columns'}`;
  return [[operation, anew] as const, [`${operation}, given again`, again] as const].flatMap(
    ([of, ours]): Comparison[] => {
      const figures = { operation: of, ours, unit: 'per second' as const };
      return [
        {
          ...figures,
          against: 'the usual way',
          theirs: usualRate,
          bar: { kind: 'speed', limit: usual.limit },
        },
        { ...figures, against: floorName, theirs: floorRate, bar: { kind: 'speed', limit: floor.limit } },
      ];
    },
  );
}

export const lengthOf = (body: string) => ({ status: 200, bytes: Buffer.byteLength(body) });

/** @throws Error when a body is not what it should be */
export function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(`not what was asked for: ${what}`);
}
