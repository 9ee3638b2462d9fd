import { answering, type Bench, check, sideBySide } from '../bench.ts';
import type { Comparison } from '../comparison.ts';
import { CONCURRENCY, CROWD } from '../load/target.ts';

/** Who has the answer already is told so. */
export async function polls(bench: Bench): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [operation, path] of [
    ['alerts', '/api/v1/alerts/?page_size=1000'],
    ['summary', '/api/v1/alerts:summary'],
  ] as const) {
    const etag = String((await bench.rememberingFleetApi.get(path)).headers['etag']);
    const headers = { 'if-none-match': etag };
    const again = await bench.rememberingFleetApi.get(path, headers);
    check(again.status === 304 && again.body === '', `${path} is unchanged`);
    check((await bench.emptyRoute.get('/')).status === 304, 'the empty route takes the token');
    for (const concurrency of [CONCURRENCY, CROWD]) {
      const [rate, emptyRate] = (await sideBySide(bench, [
        answering(bench.rememberingFleetApi, path, { status: 304, bytes: 0, headers }, concurrency),
        answering(bench.emptyRoute, '/', { status: 304, bytes: 0 }, concurrency),
      ])) as [number, number];
      comparisons.push({
        operation: `${operation}, polled unchanged by ${concurrency}`,
        against: 'an empty route with the token check',
        ours: rate,
        theirs: emptyRate,
        unit: 'per second',
        bar: { kind: 'speed', limit: 0.5 },
      });
    }
  }
  return comparisons;
}
