import type { AlertListItem } from '@gpu-observatory/domain-types';
import { answering, type Bench, check, lengthOf, ratesOf, sideBySide } from '../bench.ts';
import type { Comparison } from '../comparison.ts';

interface Page {
  alerts: AlertListItem[];
  next_page_token?: string;
  total_size: number | null;
}

const COLUMNS =
  'id, title, description, type, severity, state, created_at, hostname, workspace_id, api_key_id, customer_id';
const columnsOf = (size: number) => `
  SELECT ${COLUMNS} FROM fleet.alerts WHERE customer_id = 1 ORDER BY created_at DESC, id LIMIT ${size}`;

/** Pages of the newest alerts: of three sizes, with their total, and far down. */
export async function alertPages(bench: Bench): Promise<Comparison[]> {
  return [
    ...(await page(bench, 50, { usual: 4, floor: 0.3 })),
    ...(await page(bench, 1_000, { usual: 8, floor: 0.45, beside: columnsOf(1_000) })),
    ...(await page(bench, 10_000, { usual: 5, floor: 0.3 })),
    ...(await total(bench)),
    ...(await depth(bench)),
  ];
}

/** @param beside what the floor runs, where it is not the page's own statement */
async function page(
  bench: Bench,
  size: number,
  { usual, floor, beside }: { usual: number; floor: number; beside?: string },
): Promise<Comparison[]> {
  const operation = `alerts, page ${size.toLocaleString('en')}`;
  const path = `/api/v1/alerts/?page_size=${size}`;
  const usualPath = `/alerts?page_size=${size}`;
  const [ours, theirs] = [await bench.fleetApi.get(path), await bench.usualWay.get(usualPath)];
  const [page, usualPage] = [JSON.parse(ours.body) as Page, JSON.parse(theirs.body) as Page];
  check(page.alerts.length === Math.min(size, page.total_size ?? 0), `${path} has its rows`);
  check(
    JSON.stringify(page.alerts) === JSON.stringify(usualPage.alerts),
    `${path} is what the usual way answers`,
  );
  return ratesOf(bench, operation, [path, lengthOf(ours.body)], {
    usual: { limit: usual, rate: answering(bench.usualWay, usualPath, lengthOf(theirs.body)) },
    floor: { limit: floor, beside },
  });
}

/** A walk's first page has the total, later ones do not. */
async function total(bench: Bench): Promise<Comparison[]> {
  const path = '/api/v1/alerts/?page_size=1000';
  const first = await bench.fleetApi.get(path);
  const { next_page_token: token, total_size } = JSON.parse(first.body) as Page;
  check(total_size !== null && total_size > 0, 'page 1 has a total');
  if (token === undefined) return [];
  const laterPath = `${path}&page_token=${token}`;
  const later = await bench.fleetApi.get(laterPath);
  const usualPath = '/alerts?page_size=1000&total=true';
  const usual = await bench.usualWay.get(usualPath);
  check((JSON.parse(usual.body) as Page).total_size === total_size, 'the total is what count(*) says');
  const [rate, rateWithout, usualRate] = (await sideBySide(bench, [
    answering(bench.fleetApi, path, lengthOf(first.body)),
    answering(bench.fleetApi, laterPath, lengthOf(later.body)),
    answering(bench.usualWay, usualPath, lengthOf(usual.body)),
  ])) as [number, number, number];
  const figures = {
    operation: 'alerts, page 1,000 with total_size',
    ours: rate,
    unit: 'per second' as const,
  };
  return [
    { ...figures, against: 'the usual way', theirs: usualRate, bar: { kind: 'speed', limit: 8 } },
    { ...figures, against: 'a page without it', theirs: rateWithout, bar: { kind: 'cost', limit: 1.2 } },
  ];
}

/** Far down in a walk, as in a page 1. */
async function depth(bench: Bench): Promise<Comparison[]> {
  const far = Math.min(100_000, Math.floor(bench.set.size.alerts / 2));
  let token: string | undefined;
  for (let served = 0; served < far;) {
    const size = Math.min(10_000, far - served);
    const page = await bench.fleetApi.json<Page>(
      `/api/v1/alerts/?page_size=${size}${token === undefined ? '' : `&page_token=${token}`}`,
    );
    served += page.alerts.length;
    token = page.next_page_token;
  }
  const path = '/api/v1/alerts/?page_size=1000';
  const farPath = `${path}&page_token=${token}`;
  const [first, deep] = [await bench.fleetApi.get(path), await bench.fleetApi.get(farPath)];
  check((JSON.parse(deep.body) as Page).alerts.length > 0, `there is a page at depth ${far}`);
  const [rate, deepRate] = (await sideBySide(bench, [
    answering(bench.fleetApi, path, lengthOf(first.body)),
    answering(bench.fleetApi, farPath, lengthOf(deep.body)),
  ])) as [number, number];
  return [
    {
      operation: `alerts, page at depth ${far.toLocaleString('en')}`,
      against: 'page 1',
      ours: deepRate,
      theirs: rate,
      unit: 'per second',
      bar: { kind: 'cost', limit: 1.15 },
    },
  ];
}
