import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@gpu-observatory/embedded-database';
import { type Access, DAY_MS } from '@gpu-observatory/domain-types';
import type { Bench } from '../bench.ts';
import { type Comparison, compare } from '../../comparison.ts';
import { alertLines, IMPORTED_GPUS, sampleLines } from '../data-set/import-inputs.ts';
import { DatabaseTime } from '../load/database-time.ts';
import { type LiveImport, startLiveImport } from '../load/importer.ts';
import { quantile, Target } from '../../target.ts';

const CUSTOMER_ID = 1;
const ACCESS: Access = [{ customer_id: CUSTOMER_ID, workspace_ids: 'all' }];
/** What each dashboard requests about alerts; GPUs and metrics change with every sample. */
const PATHS = [
  '/api/v1/alerts/?page_size=50',
  '/api/v1/alerts:summary',
  `/api/v1/alerts:severityTrend?from=${new Date(Date.now() - DAY_MS).toISOString()}`,
];
const DASHBOARDS = 10;
const REQUESTS_PER_SECOND = 8;
const STORED_ALERTS = 6_000;
const ALERTS_PER_IMPORT = 100;
const IMPORT_INTERVAL_MS = 1_000;
/** Duration of a measurement, in multiples of `--seconds`. */
const DURATION_FACTOR = 10;
/** Part of the statement of each response: it reads the data version that the response shows. */
const RESPONSE = 'AS data_versions';
/** Longer than the importer waits for further lines of a batch. */
const IMPORT_TIMEOUT_MS = 30_000;

/** Measures the response cache while ten dashboards poll alerts, and one batch per second is imported. */
export async function liveImports(bench: Bench): Promise<Comparison[]> {
  const database = await bench.emptyDatabase();
  await using started = new AsyncDisposableStack();
  started.defer(async () => void (await database.drop()));
  const statements = await DatabaseTime.open(database.url);
  started.defer(() => statements.close());
  const fleetApi = await bench.startCachedFleetApi(database.apiUrl);
  started.defer(() => fleetApi.stop());
  const dashboards = new Target(fleetApi.url, await bench.issuer.headers(ACCESS), DASHBOARDS);
  started.defer(() => dashboards.stop());

  const durationMs = bench.seconds * DURATION_FACTOR * 1_000;
  const imports = Math.ceil(durationMs / IMPORT_INTERVAL_MS);
  const endMs = Date.now();
  const alerts = alertLines(STORED_ALERTS + imports * ALERTS_PER_IMPORT, endMs);
  const samples = sampleLines((imports + 1) * IMPORTED_GPUS, endMs);
  const owner = ['--customer', String(CUSTOMER_ID), '--workspace', '10'];
  const importer = startLiveImport(database.importerUrl, owner);
  const read = () => readState(database.url);
  importer.write([...next(alerts, STORED_ALERTS), ...next(samples, 2 * IMPORTED_GPUS)]);
  await until(
    async () => (await read()).alerts === STORED_ALERTS && (await read()).samples === IMPORTED_GPUS,
  );

  const measure = async (lines: () => string[]): Promise<Measured> => {
    const before = await read();
    await statements.reset();
    const times = await poll(dashboards, importer, lines, durationMs);
    const computed = await statements.callsOf(RESPONSE);
    // A loaded machine writes the first lines after a short measurement.
    await until(async () => hasImported(before, await read()));
    return { times, computed, before, after: await read() };
  };
  const duringSamples = await measure(() => next(samples, IMPORTED_GPUS));
  const duringAlerts = await measure(() => next(alerts, ALERTS_PER_IMPORT));
  await importer.stop();
  const versions = duringAlerts.after.version - duringAlerts.before.version + 1;
  const computations = [duringAlerts.computed, versions * PATHS.length] as const;
  return [
    hits('polls during imports of samples', duringSamples, { rate: 80 }),
    hits('polls during imports of alerts', duringAlerts, null),
    compare('polls during imports of alerts', computations, 'computed', 'distinct requests x data versions', {
      cost: 1,
    }),
  ];
}

/** Returns the next lines, without closing the generator as its own `take` does. */
function next(lines: Iterator<string>, count: number): string[] {
  return Array.from({ length: count }, () => lines.next().value as string);
}

interface Measured {
  times: number[];
  /** Number of responses that were computed. */
  computed: number;
  before: State;
  after: State;
}

function hits(
  operation: string,
  { times, computed }: Measured,
  required: Comparison['required'],
): Comparison {
  const share = 100 * (1 - computed / times.length);
  const latency = { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
  return { ...compare(operation, [share, NaN], '% hits', 'absolute', required), latency };
}

/** Polls and imports for this time, each dashboard at least once. @returns the response times in ms */
async function poll(
  target: Target,
  importer: LiveImport,
  lines: () => string[],
  durationMs: number,
): Promise<number[]> {
  const times: number[] = [];
  const deadline = performance.now() + durationMs;
  const pauseMs = (DASHBOARDS * 1_000) / REQUESTS_PER_SECOND;
  const dashboard = async (n: number) => {
    await sleep((n * pauseMs) / DASHBOARDS);
    for (let k = n; k === n || performance.now() < deadline; k++) {
      const startedAt = performance.now();
      await target.json(PATHS[k % PATHS.length] as string);
      times.push(performance.now() - startedAt);
      await sleep(pauseMs - (performance.now() - startedAt));
    }
  };
  const running = Promise.all(Array.from({ length: DASHBOARDS }, (_unused, n) => dashboard(n)));
  do {
    importer.write(lines());
    await sleep(IMPORT_INTERVAL_MS);
  } while (performance.now() < deadline);
  await running;
  return times;
}

interface State {
  alerts: number;
  samples: number;
  /** Sequence number of the last import that changed alerts. */
  version: number;
}

const hasImported = (before: State, now: State) =>
  now.samples > before.samples || now.version > before.version;

async function readState(url: string): Promise<State> {
  const [state] = await query<State>(
    url,
    `SELECT (SELECT count(*)::integer FROM fleet.alerts) AS alerts, (SELECT count(*)::integer FROM fleet.gpu_samples) AS samples,
       (SELECT coalesce(max(alerts_seq), 0)::integer FROM fleet.data_versions) AS version`,
  );
  return state as State;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + IMPORT_TIMEOUT_MS; ; await sleep(100)) {
    if (await condition()) return;
    if (performance.now() > deadline) throw new Error('the importer has not written its input within 30 s');
  }
}
