import type { Contenders } from './contenders/contenders.ts';
import type { DatabaseServer, DataSet } from './database-server.ts';
import { FleetBuild } from './fleet-build.ts';
import { CLIENTS, inTurns, type Load, measureLoad, median, medianRatio, type Target } from './load.ts';
import type { Options } from './options.ts';
import { checkSameRows, type MeasuredRequest, requestsOf } from './requests.ts';
import type { Row } from './report.ts';

/** Another build of fleet-api with its own database. */
interface OtherBuild {
  build: FleetBuild;
  set: DataSet;
}

/** Compares fleet-api without its response cache with all references, and with itself with the cache. */
export async function* measureReads(
  server: DatabaseServer,
  set: DataSet,
  other: OtherBuild | null,
  contenders: Contenders,
  { rounds, seconds }: Options,
): AsyncGenerator<Row> {
  const fleetApi = await contenders.fleetApi(FleetBuild.own, set.database, { cached: false });
  const cached = await contenders.fleetApi(FleetBuild.own, set.database, { cached: true });
  const references = {
    handWritten: await contenders.handWritten(set.database),
    ormBaseline: await contenders.ormBaseline(set.database),
    other: other && (await contenders.fleetApi(other.build, other.set.database, { cached: false })),
  };
  const others = other && references.other ? await requestsOf(other.set, references.other) : [];
  for (const [n, request] of (await requestsOf(set, fleetApi)).entries()) {
    const compared = comparedWith(request, references, others[n]);
    const expected = await fleetApi.get(request.path);
    for (const { name, target, path } of compared) {
      // The data set of another build was imported at another time.
      if (name !== OTHER) checkSameRows(request.name, expected, await target.get(path));
    }
    const { path, clients = CLIENTS } = request;
    const [ours = [], withCache = [], ...theirs] = await inTurns(
      rounds,
      [{ target: fleetApi, path }, { target: cached, path }, ...compared].map(
        (each) => () => measureLoad(each.target, each.path, clients, seconds, server),
      ),
    );
    const figure = (of: (load: Load) => number, loads = ours) => median(loads.map(of));
    const cpu = figure(({ serviceCpu, databaseCpu }) => serviceCpu + databaseCpu);
    yield {
      request: request.name,
      'per second': figure(({ perSecond }) => perSecond),
      'p50 ms': figure(({ p50 }) => p50),
      'p99 ms': figure(({ p99 }) => p99),
      'service us CPU': figure(({ serviceCpu }) => serviceCpu),
      'PostgreSQL us CPU': figure(({ databaseCpu }) => databaseCpu),
      'per second and core': 1e6 / cpu,
      'cached, per second': figure(({ perSecond }) => perSecond, withCache),
      ...Object.fromEntries(
        compared.map(({ name }, contender) => [
          `x ${name}`,
          medianRatio(ours, theirs[contender] as Load[], ({ perSecond }) => perSecond),
        ]),
      ),
    };
  }
}

const OTHER = 'other build';

function comparedWith(
  request: MeasuredRequest,
  references: { handWritten: Target; ormBaseline: Target; other: Target | null },
  ofOther: MeasuredRequest | undefined,
): { name: string; target: Target; path: string }[] {
  return [
    { name: 'hand-written', target: references.handWritten, path: request.reference },
    { name: 'ORM', target: references.ormBaseline, path: request.reference ?? request.ormBaseline },
    { name: OTHER, target: references.other, path: ofOther?.path },
  ].filter(
    (compared): compared is { name: string; target: Target; path: string } =>
      compared.target !== null && compared.path !== undefined,
  );
}
