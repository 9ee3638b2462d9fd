import type { AlertListItem } from '@gpu-observatory/domain-types';
import { requestRate, type Bench, check, expectedResponse, compareRates, bestRates } from '../bench.ts';
import { type Comparison, compare } from '../../comparison.ts';

interface Page {
  alerts: AlertListItem[];
  next_page_token?: string;
  total_size: number | null;
}

const COLUMNS =
  'id, title, description, type, severity, state, created_at, hostname, workspace_id, api_key_id, customer_id';
const columnsSql = (size: number) => `
  SELECT ${COLUMNS} FROM fleet.alerts WHERE customer_id = 1 ORDER BY created_at DESC, id LIMIT ${size}`;

/** Measures pages of three sizes, the cost of the total, and a page at great depth. */
export async function alertPages(bench: Bench): Promise<Comparison[]> {
  return [
    ...(await comparePage(bench, 50, { baseline: 4, lowerBound: 0.3 })),
    ...(await comparePage(bench, 1_000, { baseline: 8, lowerBound: 0.45, sql: columnsSql(1_000) })),
    ...(await comparePage(bench, 10_000, { baseline: 5, lowerBound: 0.3 })),
    ...(await compareTotal(bench)),
    ...(await compareDepth(bench)),
  ];
}

/** @param sql statement of the lower bound, instead of the one that fleet-api sends */
async function comparePage(
  bench: Bench,
  size: number,
  { baseline, lowerBound, sql }: { baseline: number; lowerBound: number; sql?: string },
): Promise<Comparison[]> {
  const operation = `alerts, page ${size.toLocaleString('en')}`;
  const path = `/api/v1/alerts/?page_size=${size}`;
  const baselinePath = `/alerts?page_size=${size}`;
  const [ours, theirs] = [await bench.fleetApi.get(path), await bench.ormBaseline.get(baselinePath)];
  const [page, baselinePage] = [JSON.parse(ours.body) as Page, JSON.parse(theirs.body) as Page];
  check(page.alerts.length === Math.min(size, page.total_size ?? 0), `${path} returns all rows of the page`);
  check(
    JSON.stringify(page.alerts) === JSON.stringify(baselinePage.alerts),
    `${path} equals the response of the ORM baseline`,
  );
  return compareRates(bench, operation, [path, expectedResponse(ours.body)], {
    baseline: {
      limit: baseline,
      rate: requestRate(bench.ormBaseline, baselinePath, expectedResponse(theirs.body)),
    },
    lowerBound: { limit: lowerBound, sql },
  });
}

/** Compares page 1, which has the total, with page 2, which has none. */
async function compareTotal(bench: Bench): Promise<Comparison[]> {
  const path = '/api/v1/alerts/?page_size=1000';
  const first = await bench.fleetApi.get(path);
  const { next_page_token: token, total_size } = JSON.parse(first.body) as Page;
  check(total_size !== null && total_size > 0, 'page 1 has a total');
  if (token === undefined) return [];
  const laterPath = `${path}&page_token=${token}`;
  const later = await bench.fleetApi.get(laterPath);
  const baselinePath = '/alerts?page_size=1000&total=true';
  const baseline = await bench.ormBaseline.get(baselinePath);
  check((JSON.parse(baseline.body) as Page).total_size === total_size, 'the total equals count(*)');
  const [rate, rateWithout, baselineRate] = (await bestRates(bench, [
    requestRate(bench.fleetApi, path, expectedResponse(first.body)),
    requestRate(bench.fleetApi, laterPath, expectedResponse(later.body)),
    requestRate(bench.ormBaseline, baselinePath, expectedResponse(baseline.body)),
  ])) as [number, number, number];
  const operation = 'alerts, page 1,000 with total_size';
  return [
    compare(operation, [rate, baselineRate], 'per second', 'ORM baseline', { speed: 8 }),
    compare(operation, [rate, rateWithout], 'per second', 'page without total_size', { cost: 1.2 }),
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
  const [rate, deepRate] = (await bestRates(bench, [
    requestRate(bench.fleetApi, path, expectedResponse(first.body)),
    requestRate(bench.fleetApi, farPath, expectedResponse(deep.body)),
  ])) as [number, number];
  const operation = `alerts, page at depth ${far.toLocaleString('en')}`;
  return [compare(operation, [deepRate, rate], 'per second', 'page 1', { cost: 1.15 })];
}
