import { availableParallelism } from 'node:os';
import { type Comparison, compare } from '../../comparison.ts';
import { type Bench, check, expectedResponse, sendByHand } from '../bench.ts';
import { type CpuTime, inAll, type Measured, measureCpuTime } from '../load/cpu-time.ts';
import { PAIR_OF_SEVERAL_VALUES } from './alert-pages.ts';
import { metricsPath } from './metrics.ts';
import { gpusPath } from './gpu-lists.ts';
import { alertWithTimeline } from './single-alerts.ts';

const SEVERAL_VALUES = encodeURI(`/api/v1/alerts/?page_size=50&${PAIR_OF_SEVERAL_VALUES}`);

/**
 * Measures the CPU time of a request in the service, the database and the client. On a machine with these processes alone, their
 * sum bounds the rate. Where the service sends one statement over alerts, the hand-written route sends it too.
 */
export async function cpuTimes(bench: Bench): Promise<Comparison[]> {
  if (process.platform !== 'linux') {
    bench.log('there is no /proc: omitting CPU times');
    return [];
  }
  const id = await alertWithTimeline(bench);
  return [
    ...(await ofTokenCheck(bench)),
    ...(await ofOperation(bench, 'alerts, page 50', '/api/v1/alerts/?page_size=50', true)),
    ...(await ofOperation(bench, 'alerts, page 50, several values', SEVERAL_VALUES, true)),
    ...(await ofOperation(bench, 'alerts, page 1,000', '/api/v1/alerts/?page_size=1000', true)),
    ...(await ofOperation(bench, 'alerts, page 10,000', '/api/v1/alerts/?page_size=10000', true)),
    ...(await ofOperation(bench, 'detail', `/api/v1/alerts/${id}`, true)),
    ...(await ofOperation(bench, 'timeline', `/api/v1/alerts/${id}/timeline`, true)),
    ...(await ofOperation(bench, 'metrics', metricsPath(bench.set), false)),
    ...(await ofOperation(bench, 'gpus, basic', gpusPath(bench.set, 'basic'), false)),
    ...(await ofOperation(bench, 'gpus, full', gpusPath(bench.set, 'full'), false)),
  ];
}

/** A response without a body and a query, which any authenticated request costs at least. */
async function ofTokenCheck(bench: Bench): Promise<Comparison[]> {
  const { emptyRoute: target, processIds } = bench;
  const expected = { status: 304, bytes: 0 };
  const [time] = (await leastCpuTimes(bench, [
    { target, processId: processIds.emptyRoute, path: '/', expected },
  ])) as [CpuTime];
  return (['service', 'client'] as const).map((name) =>
    compare(`token check alone, ${name}`, [time[name], NaN], 'us CPU', 'absolute'),
  );
}

async function ofOperation(
  bench: Bench,
  operation: string,
  path: string,
  byHand: boolean,
): Promise<Comparison[]> {
  const { fleetApi, handWritten, processIds } = bench;
  const { status, body } = await fleetApi.get(path);
  check(status === 200, `${path} returns 200, not ${status}`);
  const requests: Measured[] = [
    { target: fleetApi, processId: processIds.fleetApi, path, expected: expectedResponse(body) },
  ];
  if (byHand) {
    const own = await bench.statements.captureAlertStatement(() => fleetApi.get(path));
    const expected = await sendByHand(bench, own);
    requests.push({ target: handWritten, processId: processIds.handWritten, path: '/', expected });
  }
  const [ours, theirs] = (await leastCpuTimes(bench, requests)) as [CpuTime, CpuTime?];
  return comparisonsOf(operation, ours, theirs);
}

/**
 * Returns, after a warm-up of each server, its measurement with the least time in all: other load on the machine only adds
 * to it.
 */
async function leastCpuTimes(bench: Bench, requests: readonly Measured[]): Promise<CpuTime[]> {
  const least: CpuTime[] = [];
  for (const request of requests) await measureCpuTime(bench, request);
  for (let round = 0; round < bench.rounds; round++) {
    for (const [n, request] of requests.entries()) {
      const time = await measureCpuTime(bench, request);
      const best = least[n];
      if (best === undefined || inAll(time) < inAll(best)) least[n] = time;
    }
  }
  return least;
}

function comparisonsOf(operation: string, ours: CpuTime, theirs?: CpuTime): Comparison[] {
  const against = theirs === undefined ? 'absolute' : 'hand-written route, same statement';
  const figures = (name: string, of: (time: CpuTime) => number) =>
    compare(`${operation}, ${name}`, [of(ours), theirs === undefined ? NaN : of(theirs)], 'us CPU', against);
  return [
    figures('service', ({ service }) => service),
    figures('database', ({ database }) => database),
    figures('client', ({ client }) => client),
    figures('all three', inAll),
    compare(
      `${operation}, if no core waits`,
      [availableParallelism() * (1e6 / inAll(ours)), NaN],
      'per second',
      'absolute',
    ),
  ];
}
