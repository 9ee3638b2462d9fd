import { cpuTimeOf } from '@gpu-observatory/testing';
import { Pool } from 'undici';
import type { DatabaseServer } from './database-server.ts';
import type { Server } from './fleet-build.ts';

/** Concurrent requests, enough to keep two cores busy. */
export const CLIENTS = 8;

/** A server under load, with the headers of one caller. */
export class Target {
  readonly server: Server;
  private readonly headers: Record<string, string>;
  private readonly pool: Pool;

  constructor(server: Server, headers: Record<string, string>) {
    this.server = server;
    this.headers = headers;
    this.pool = new Pool(server.url, { connections: CLIENTS, pipelining: 1 });
  }

  /** @throws {Error} unless the status is 200 */
  async get(path: string): Promise<Buffer> {
    const { statusCode, body } = await this.pool.request({ path, method: 'GET', headers: this.headers });
    const bytes = Buffer.from(await body.arrayBuffer());
    if (statusCode !== 200)
      throw new Error(`${path} returned ${statusCode}: ${bytes.toString().slice(0, 500)}`);
    return bytes;
  }

  async json<Body>(path: string): Promise<Body> {
    return JSON.parse((await this.get(path)).toString()) as Body;
  }

  /**
   * Sends the same request with concurrent clients until the time is over, at least once each.
   *
   * @returns the duration of each request, in ms
   * @throws {Error} when a response has another length than the first one
   */
  async times(path: string, seconds: number, clients: number): Promise<number[]> {
    const { length } = await this.get(path);
    const times: number[] = [];
    const deadline = performance.now() + seconds * 1000;
    const client = async () => {
      do {
        const started = performance.now();
        const bytes = await this.get(path);
        times.push(performance.now() - started);
        if (bytes.length !== length)
          throw new Error(`${path} returned ${bytes.length} bytes instead of ${length}`);
      } while (performance.now() < deadline);
    };
    await Promise.all(Array.from({ length: clients }, client));
    return times;
  }

  async stop(): Promise<void> {
    await this.pool.destroy();
    await this.server.stop();
  }
}

/** What a target did under load. */
export type Load = Awaited<ReturnType<typeof measureLoad>>;

export async function measureLoad(
  target: Target,
  path: string,
  clients: number,
  seconds: number,
  database: DatabaseServer,
) {
  const { processId } = target.server;
  const [serviceBefore, databaseBefore] = [cpuTimeOf(processId), await database.cpuTimes('fleet_api')];
  const started = performance.now();
  const times = await target.times(path, seconds, clients);
  const elapsedMs = performance.now() - started;
  const serviceCpu = cpuTimeOf(processId) - serviceBefore;
  const databaseCpu = [...(await database.cpuTimes('fleet_api'))].reduce(
    // A server process that started meanwhile has used all of its time for these requests.
    (sum, [pid, ns]) => sum + ns - (databaseBefore.get(pid) ?? 0),
    0,
  );
  return {
    perSecond: (times.length / elapsedMs) * 1000,
    /** Median and 99th percentile of the response times, in ms. */
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    /** CPU time of a request, in us. 0 where there is no /proc. */
    serviceCpu: serviceCpu / 1000 / times.length,
    databaseCpu: databaseCpu / 1000 / times.length,
  };
}

/**
 * Measures contenders in turns, after one measurement of each as a warm-up, so that a change of the machine's speed affects all.
 *
 * @returns the rounds of each contender
 */
export async function inTurns<Result>(
  rounds: number,
  contenders: readonly (() => Promise<Result>)[],
): Promise<Result[][]> {
  for (const measure of contenders) await measure();
  const results = contenders.map((): Result[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [n, measure] of contenders.entries()) (results[n] as Result[]).push(await measure());
  }
  return results;
}

/** @throws {Error} for an empty array */
function quantile(values: readonly number[], fraction: number): number {
  const value = values.toSorted((a, b) => a - b)[Math.floor(values.length * fraction)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the median over the rounds of a figure of ours divided by the same of theirs. */
export function medianRatio<Result>(
  ours: readonly Result[],
  theirs: readonly Result[],
  figure: (result: Result) => number,
): number {
  return median(ours.map((result, round) => figure(result) / figure(theirs[round] as Result)));
}
