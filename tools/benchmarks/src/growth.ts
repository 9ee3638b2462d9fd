import type { Contenders } from './contenders/contenders.ts';
import type { DataSet } from './database-server.ts';
import { FleetBuild } from './fleet-build.ts';
import { inTurns, median, medianRatio } from './load.ts';
import type { Options } from './options.ts';
import type { Row } from './report.ts';
import { requestsOf } from './requests.ts';

/** Compares response times of one client with those on a data set with a tenth of the alerts. */
export async function* measureGrowth(
  large: DataSet,
  small: DataSet,
  contenders: Contenders,
  { rounds, seconds }: Options,
): AsyncGenerator<Row> {
  const [onLarge, onSmall] = [
    await contenders.fleetApi(FleetBuild.own, large.database, { cached: false }),
    await contenders.fleetApi(FleetBuild.own, small.database, { cached: false }),
  ];
  const ofSmall = new Map((await requestsOf(small, onSmall)).map(({ name, path }) => [name, path]));
  for (const { name, path } of await requestsOf(large, onLarge)) {
    const smallPath = ofSmall.get(name);
    if (smallPath === undefined) continue;
    const [ours = [], theirs = []] = await inTurns(rounds, [
      async () => median(await onLarge.times(path, seconds, 1)),
      async () => median(await onSmall.times(smallPath, seconds, 1)),
    ]);
    yield {
      request: name,
      'p50 ms': median(ours),
      'p50 ms on a tenth': median(theirs),
      ratio: medianRatio(ours, theirs, (ms) => ms),
    };
  }
}
