import { setTimeout as sleep } from 'node:timers/promises';
import type { AlertListItem } from '@gpu-observatory/domain-types';
import {
  type Bench,
  bestLoads,
  check,
  compareLoads,
  compareRates,
  expectedResponse,
  requestLoad,
  warmUp,
} from '../bench.ts';
import type { Load, MeasureLoad } from '../load/load.ts';
import type { Comparison } from '../../comparison.ts';
import type { Target } from '../../target.ts';

interface Page {
  alerts: AlertListItem[];
  next_page_token?: string;
  total_size: number | null;
}

export const PAIR_OF_SEVERAL_VALUES =
  'filter[severity][in]=low,info&filter[type][in]=gpu_dma,gpu_power,cpu_usage';
/** Pairs of filters with few values, which select 0.05 % to 4 % of the alerts. */
const PAIRS = [
  'filter[severity][in]=critical&filter[type][in]=gpu_dma',
  PAIR_OF_SEVERAL_VALUES,
  'filter[severity][equals]=high&filter[state][equals]=ignored',
  'filter[type][in]=gpu_dma&filter[state][equals]=active',
];

/** Measures pages of three sizes and of pairs of filters, page 2, the cost of the total, and a page at great depth. */
export async function alertPages(bench: Bench): Promise<Comparison[]> {
  return [
    ...(await comparePage(bench, 50, {
      uncached: { orm: 5, handWritten: 1.2, pgbench: 0.45 },
      cached: { orm: 4, pgbench: 0.3 },
    })),
    ...(await comparePage(bench, 1_000, {
      uncached: { orm: 4, handWritten: 1.1, pgbench: 0.45 },
      cached: { orm: 8, pgbench: 0.45 },
    })),
    ...(await comparePage(bench, 10_000, {
      uncached: { orm: 5, pgbench: 0.3 },
      cached: { orm: 5, pgbench: 0.3 },
    })),
    ...(await comparePairs(bench)),
    ...(await compareSecondPage(bench)),
    ...(await compareTotal(bench)),
    ...(await compareDepth(bench)),
    ...(await compareIdle(bench)),
  ];
}

async function comparePage(
  bench: Bench,
  size: number,
  limits: Parameters<typeof compareRates>[2]['limits'],
): Promise<Comparison[]> {
  const operation = `alerts, page ${size.toLocaleString('en')}`;
  const path = `/api/v1/alerts/?page_size=${size}`;
  const baselinePath = `/alerts?page_size=${size}`;
  // Reads the rows from disk if necessary: the baseline has no time limit.
  await bench.ormBaselines.express.get(baselinePath);
  const { status, body } = await bench.fleetApi.get(path);
  check(status === 200, `${path} returns 200, not ${status}: ${body.slice(0, 500)}`);
  const page = JSON.parse(body) as Page;
  check(page.alerts.length === Math.min(size, page.total_size ?? 0), `${path} returns all rows of the page`);
  const baseline = async (target: Target) => {
    const theirs = await target.get(baselinePath);
    check(
      JSON.stringify(page.alerts) === JSON.stringify((JSON.parse(theirs.body) as Page).alerts),
      `${path} equals the response of the ORM baseline`,
    );
    return requestLoad(target, baselinePath, expectedResponse(theirs.body));
  };
  return compareRates(bench, operation, {
    path,
    expected: expectedResponse(body),
    baselines: {
      express: await baseline(bench.ormBaselines.express),
      fastify: await baseline(bench.ormBaselines.fastify),
    },
    leanSql: `SELECT string_agg(doc, ',') FROM (
      SELECT doc FROM fleet.alerts WHERE customer_id = 1 ORDER BY created_at DESC, id LIMIT ${size}) AS page`,
    limits,
  });
}

/** Compares pages with two filters with a page without filters. */
async function comparePairs(bench: Bench): Promise<Comparison[]> {
  const path = '/api/v1/alerts/?page_size=50';
  const contenders: MeasureLoad[] = [];
  for (const ofPair of [path, ...PAIRS.map((pair) => encodeURI(`${path}&${pair}`))]) {
    const { body } = await bench.fleetApi.get(ofPair);
    const { alerts, total_size } = JSON.parse(body) as Page;
    check(
      alerts.length > 0 && alerts.length === Math.min(50, total_size ?? 0),
      `${ofPair} returns a full page`,
    );
    contenders.push(requestLoad(bench.fleetApi, ofPair, expectedResponse(body)));
  }
  for (const measure of contenders) await warmUp(measure, bench.seconds);
  const [unfiltered, ...filtered] = (await bestLoads(bench, contenders)) as [Load, ...Load[]];
  return filtered.map((load, n) => {
    const operation = `alerts, page 50, ${(PAIRS[n] as string).replaceAll('filter', '')}`;
    return compareLoads(operation, [load, unfiltered], 'page without filters', { cost: 1.3 });
  });
}

/** Compares page 2 with page 1. Page 2 also decodes a token, and reads the alerts as of page 1. */
async function compareSecondPage(bench: Bench): Promise<Comparison[]> {
  const [, first, second] = await firstPages(bench, 50);
  const loads = (await bestLoads(bench, [second, first])) as [Load, Load];
  return [compareLoads('alerts, page 2 of 50', loads, 'page 1', { cost: 1.2 })];
}

/** Returns the total, and measurements of pages 1 and 2. */
async function firstPages(
  { fleetApi }: Bench,
  size: number,
): Promise<[total: number, first: MeasureLoad, second: MeasureLoad]> {
  const path = `/api/v1/alerts/?page_size=${size}`;
  const first = await fleetApi.get(path);
  const { alerts, next_page_token: token, total_size: total } = JSON.parse(first.body) as Page;
  check(total !== null && token !== undefined, 'page 1 has a total and a token');
  const secondPath = `${path}&page_token=${token}`;
  const second = await fleetApi.get(secondPath);
  const served = new Set(alerts.map(({ id }) => id));
  const next = (JSON.parse(second.body) as Page).alerts;
  check(next.length === size && next.every(({ id }) => !served.has(id)), 'page 2 has the next alerts');
  return [
    total as number,
    requestLoad(fleetApi, path, expectedResponse(first.body)),
    requestLoad(fleetApi, secondPath, expectedResponse(second.body)),
  ];
}

/** Compares page 1, which has the total, with page 2, which has none. */
async function compareTotal(bench: Bench): Promise<Comparison[]> {
  const [total, first, second] = await firstPages(bench, 1_000);
  const baselinePath = '/alerts?page_size=1000&total=true';
  const baseline = await bench.ormBaselines.express.get(baselinePath);
  check((JSON.parse(baseline.body) as Page).total_size === total, 'the total equals count(*)');
  const [load, loadWithout, baselineLoad] = (await bestLoads(bench, [
    first,
    second,
    requestLoad(bench.ormBaselines.express, baselinePath, expectedResponse(baseline.body)),
  ])) as [Load, Load, Load];
  const operation = 'alerts, page 1,000 with total_size';
  return [
    compareLoads(operation, [load, baselineLoad], 'ORM baseline on Express', { speed: 8 }),
    compareLoads(operation, [load, loadWithout], 'page without total_size', { cost: 1.2 }),
  ];
}

/** Compares a page at great depth with page 1. */
async function compareDepth(bench: Bench): Promise<Comparison[]> {
  const far = Math.min(100_000, Math.floor(bench.set.size.alerts / 2));
  let token: string | undefined;
  for (let read = 0; read < far;) {
    const size = Math.min(10_000, far - read);
    const page = await bench.fleetApi.json<Page>(
      `/api/v1/alerts/?page_size=${size}${token === undefined ? '' : `&page_token=${token}`}`,
    );
    read += page.alerts.length;
    token = page.next_page_token;
  }
  const path = '/api/v1/alerts/?page_size=1000';
  const farPath = `${path}&page_token=${token}`;
  const [first, deep] = [await bench.fleetApi.get(path), await bench.fleetApi.get(farPath)];
  check((JSON.parse(deep.body) as Page).alerts.length > 0, `a page exists at depth ${far}`);
  const [load, deepLoad] = (await bestLoads(bench, [
    requestLoad(bench.fleetApi, path, expectedResponse(first.body)),
    requestLoad(bench.fleetApi, farPath, expectedResponse(deep.body)),
  ])) as [Load, Load];
  const operation = `alerts, page at depth ${far.toLocaleString('en')}`;
  return [compareLoads(operation, [deepLoad, load], 'page 1', { cost: 1.15 })];
}

/** V8 collects the garbage of an idle process after 8 s. */
const IDLE_SECONDS = 10;

/** Compares the first load after a time without requests with load before it. */
async function compareIdle(bench: Bench): Promise<Comparison[]> {
  const path = '/api/v1/alerts/?page_size=50';
  const { body } = await bench.fleetApi.get(path);
  const measure = requestLoad(bench.fleetApi, path, expectedResponse(body));
  const afterIdleness: MeasureLoad = async (seconds) => {
    await sleep(IDLE_SECONDS * 1_000);
    return measure(seconds);
  };
  const [before, after] = (await bestLoads(bench, [measure, afterIdleness])) as [Load, Load];
  const operation = `alerts, page 50 after ${IDLE_SECONDS} s without requests`;
  return [compareLoads(operation, [after, before], 'page before', { cost: 1.3 })];
}
