import {
  type Bench,
  bestLoads,
  check,
  compareLoads,
  compareRates,
  expectedResponse,
  requestLoad,
} from '../bench.ts';
import type { Load } from '../load/load.ts';
import type { Comparison } from '../../comparison.ts';
import type { Target } from '../../target.ts';

/** With 8 clients, cores wait: a small request passes through three processes, one after another. */
const CLIENTS_OF_BUSY_CORES = 16;
/** Required part of the rate of the statement alone. */
const PART_OF_PGBENCH = 0.35;

/** Measures the detail of one alert and its timeline. */
export async function singleAlerts(bench: Bench): Promise<Comparison[]> {
  const id = await alertWithTimeline(bench);
  return [
    ...(await single(bench, 'detail', `/alerts/${id}`, detailSql(id))),
    ...(await single(bench, 'timeline', `/alerts/${id}/timeline`, timelineSql(id))),
  ];
}

/** Returns the id of a new alert with a timeline. */
export async function alertWithTimeline({ fleetApi }: Bench): Promise<string> {
  const { alerts } = await fleetApi.json<{ alerts: { id: string }[] }>('/api/v1/alerts/?page_size=2000');
  for (const { id } of alerts) {
    const path = `/api/v1/alerts/${id}/timeline`;
    const { timeline_events } = await fleetApi.json<{ timeline_events: unknown[] }>(path);
    if (timeline_events.length > 0) return id;
  }
  throw new Error('no alert among the newest 2,000 has a timeline');
}

const detailSql = (id: string) => `
  SELECT a.doc, d.resource_details FROM fleet.alerts a
  JOIN fleet.alert_details d ON d.customer_id = 1 AND d.alert_id = a.id AND d.created_at = a.created_at
  WHERE a.customer_id = 1 AND a.id = '${id}'`;
const timelineSql = (id: string) => `
  SELECT string_agg(doc, ',' ORDER BY ts, digest) FROM fleet.alert_timeline_events
  WHERE customer_id = 1 AND alert_id = '${id}'`;

async function single(bench: Bench, operation: string, path: string, leanSql: string): Promise<Comparison[]> {
  const { status, body } = await bench.fleetApi.get(`/api/v1${path}`);
  const keysOf = (text: string) => JSON.stringify(Object.keys(JSON.parse(text) as object));
  const baseline = async (target: Target) => {
    const theirs = await target.get(path);
    check(
      status === 200 && keysOf(body) === keysOf(theirs.body),
      `${path} has the fields of the ORM baseline`,
    );
    return requestLoad(target, path, expectedResponse(theirs.body));
  };
  return [
    ...(await compareRates(bench, operation, {
      path: `/api/v1${path}`,
      expected: expectedResponse(body),
      baselines: {
        express: await baseline(bench.ormBaselines.express),
        fastify: await baseline(bench.ormBaselines.fastify),
      },
      leanSql,
      limits: { uncached: { orm: 3, pgbench: PART_OF_PGBENCH }, cached: { orm: 3, pgbench: 0.3 } },
    })),
    ...(await compareWithBusyCores(bench, operation, `/api/v1${path}`)),
  ];
}

async function compareWithBusyCores(bench: Bench, operation: string, path: string): Promise<Comparison[]> {
  const { lowerBound, flooder } = bench;
  if (lowerBound === null) return [];
  const own = await bench.statements.captureAlertStatement(() => flooder.get(path));
  const { body } = await flooder.get(path);
  const loads = await bestLoads(bench, [
    requestLoad(flooder, path, expectedResponse(body), CLIENTS_OF_BUSY_CORES),
    lowerBound.measure(own, CLIENTS_OF_BUSY_CORES),
  ]);
  return [
    compareLoads(
      `${operation}, ${CLIENTS_OF_BUSY_CORES} clients`,
      loads as [Load, Load],
      'pgbench, same statement',
      { speed: PART_OF_PGBENCH },
    ),
  ];
}
