import { check } from '../bench.ts';
import { type Comparison, compare } from '../../comparison.ts';
import { median, type Target } from '../../target.ts';

const FIELDS = ['timestamp', 'severity', 'type', 'state', 'hostname'];
const SORTS = FIELDS.flatMap((field) => [field, `-${field}`]);
const FILTERS = [
  'filter[severity][in]=critical',
  'filter[severity][notIn]=info,low',
  'filter[state][equals]=ignored',
  'filter[state][notEquals]=ignored',
  'filter[type][in]=gpu_dma',
  'filter[type][in]=gpu_dma,gpu_power,cpu_usage',
  'filter[type][notEquals]=gpu_dma',
  'filter[severity][equals]=high&filter[state][equals]=ignored&sort=severity',
  'filter[severity][in]=low,info&filter[type][in]=gpu_dma,gpu_power,cpu_usage',
  'filter[severity][in]=low,info&filter[state][equals]=ignored',
  'filter[type][in]=gpu_dma,gpu_power,cpu_usage&filter[state][equals]=active',
];
const TEXT_FILTERS = [
  'filter[title][contains]=nothing',
  'filter[description][contains]=process 399819 that',
  'filter[hostname][startsWith]=node-0042.',
  'filter[title][contains]=pattern 5',
  'filter[hostname][notContains]=node-0042.',
];
/** All sorts in both directions, filters with few values, texts, an API key and a workspace. */
const QUERIES = [
  ...SORTS.map((sort) => `sort=${sort}`),
  ...FILTERS,
  ...TEXT_FILTERS,
  'api_key_id=10101',
  'workspace_id=103',
];
/** Depth of a late page, in rows; less in a small data set. */
const DEPTH = 200_000;
const MAX_PAGE_SIZE = 10_000;
const PAGE_SIZE = 100;
const CALLS_PER_TURN = 5;

/** fleet-api on one data set, as the administrator of one customer, of two, and as a user with five workspaces. */
export interface GrowthTargets {
  oneCustomer: Target;
  twoCustomers: Target;
  fiveWorkspaces: Target;
}

/** Compares median times of single calls on ten times the rows, in turns. */
export async function growth(
  small: GrowthTargets,
  large: GrowthTargets,
  { calls, alerts }: { calls: number; alerts: number },
): Promise<Comparison[]> {
  const cases = (['oneCustomer', 'twoCustomers', 'fiveWorkspaces'] as const).flatMap((caller) =>
    QUERIES.map((query) => ({ caller, query })),
  );
  const comparisons: Comparison[] = [];
  for (const { caller, query } of cases) {
    const path = encodeURI(`/api/v1/alerts/?page_size=${PAGE_SIZE}&${query}`);
    const operation = `alerts, ${query.replaceAll('filter', '')}, ${CALLER_NAMES[caller]}`;
    const medians = await medianTimes([small[caller], large[caller]], [path, path], calls);
    comparisons.push(compare(operation, medians, 'ms', 'a tenth of the rows', { cost: 1.3 }));
  }
  const depth = Math.min(DEPTH, Math.floor(alerts / 20));
  const latePages = [
    await latePage(small.oneCustomer, depth),
    await latePage(large.oneCustomer, depth),
  ] as const;
  const medians = await medianTimes([small.oneCustomer, large.oneCustomer], latePages, calls);
  const operation = `alerts, page at depth ${depth.toLocaleString('en')}`;
  return [...comparisons, compare(operation, medians, 'ms', 'a tenth of the rows', { cost: 1.15 })];
}

/** @returns the median times of the large and of the small data set, in ms */
async function medianTimes(
  [small, large]: readonly [Target, Target],
  [smallPath, largePath]: readonly [string, string],
  calls: number,
): Promise<readonly [number, number]> {
  const contenders = [await withLength(small, smallPath), await withLength(large, largePath)];
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < calls / CALLS_PER_TURN; turn++) {
    for (const [index, { target, path, bytes }] of contenders.entries()) {
      const options = { seconds: 60, concurrency: 1, maxCalls: CALLS_PER_TURN };
      (times[index] as number[]).push(...(await target.times(path, options, { status: 200, bytes })));
    }
  }
  return [median(times[1]), median(times[0])];
}

/** @returns the path of the page after this number of rows */
async function latePage(target: Target, depth: number): Promise<string> {
  let token = '';
  for (let read = 0; read < depth;) {
    const size = Math.min(MAX_PAGE_SIZE, depth - read);
    const path = `/api/v1/alerts/?page_size=${size}${token}`;
    const { alerts, next_page_token } = await target.json<{ alerts: unknown[]; next_page_token: string }>(
      path,
    );
    read += alerts.length;
    token = `&page_token=${next_page_token}`;
  }
  return `/api/v1/alerts/?page_size=${PAGE_SIZE}${token}`;
}

const CALLER_NAMES = {
  oneCustomer: 'one customer',
  twoCustomers: 'two customers',
  fiveWorkspaces: 'five workspaces',
};

async function withLength(target: Target, path: string) {
  const { status, body } = await target.get(path);
  check(status === 200, `${path} returns 200, not ${status}: ${body.slice(0, 200)}`);
  const { alerts } = JSON.parse(body) as { alerts: unknown[] };
  check(alerts.length > 0 || path.includes('nothing'), `${path} finds alerts`);
  return { target, path, bytes: Buffer.byteLength(body) };
}
