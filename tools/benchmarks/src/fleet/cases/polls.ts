import { type Bench, bestLoads, check, compareLoads, requestLoad } from '../bench.ts';
import type { Load } from '../load/load.ts';
import type { Comparison } from '../../comparison.ts';
import { CONCURRENCY, DASHBOARDS } from '../../target.ts';

/** Compares conditional requests for unchanged data with a route that only verifies the token. */
export async function polls(bench: Bench): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const [operation, path] of [
    ['alerts', '/api/v1/alerts/?page_size=1000'],
    ['summary', '/api/v1/alerts:summary'],
  ] as const) {
    const etag = String((await bench.cachedFleetApi.get(path)).headers['etag']);
    const headers = { 'if-none-match': etag };
    const unchanged = await bench.cachedFleetApi.get(path, headers);
    check(unchanged.status === 304 && unchanged.body === '', `${path} returns an empty 304`);
    check((await bench.emptyRoute.get('/')).status === 304, 'the empty route accepts the token');
    for (const concurrency of [CONCURRENCY, DASHBOARDS]) {
      const [load, emptyLoad] = (await bestLoads(bench, [
        requestLoad(bench.cachedFleetApi, path, { status: 304, bytes: 0, headers }, concurrency),
        requestLoad(bench.emptyRoute, '/', { status: 304, bytes: 0 }, concurrency),
      ])) as [Load, Load];
      const name = `${operation}, unchanged, polled by ${concurrency} clients`;
      comparisons.push(compareLoads(name, [load, emptyLoad], 'token check alone', { speed: 0.5 }));
    }
  }
  return comparisons;
}
