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
/** All sorts in both directions, filters with few values, an API key and a workspace. */
const QUERIES = [...SORTS.map((sort) => `sort=${sort}`), ...FILTERS, 'api_key_id=10101', 'workspace_id=103'];
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
  calls: number,
): Promise<Comparison[]> {
  const cases = (['oneCustomer', 'twoCustomers', 'fiveWorkspaces'] as const).flatMap((caller) =>
    QUERIES.map((query) => ({ caller, query })),
  );
  const comparisons: Comparison[] = [];
  for (const { caller, query } of cases) {
    const path = `/api/v1/alerts/?page_size=${PAGE_SIZE}&${query}`;
    const [onSmall, onLarge] = [
      await targetWithLength(small[caller], path),
      await targetWithLength(large[caller], path),
    ];
    const times: [number[], number[]] = [[], []];
    for (let turn = 0; turn < calls / CALLS_PER_TURN; turn++) {
      for (const [index, { target, bytes }] of [onSmall, onLarge].entries()) {
        const options = { seconds: 60, concurrency: 1, maxCalls: CALLS_PER_TURN };
        (times[index] as number[]).push(...(await target.times(path, options, { status: 200, bytes })));
      }
    }
    const operation = `alerts, ${query.replaceAll('filter', '')}, ${CALLER_NAMES[caller]}`;
    const medians = [median(times[1]), median(times[0])] as const;
    comparisons.push(compare(operation, medians, 'ms', 'a tenth of the rows', { cost: 1.3 }));
  }
  return comparisons;
}

const CALLER_NAMES = {
  oneCustomer: 'one customer',
  twoCustomers: 'two customers',
  fiveWorkspaces: 'five workspaces',
};

async function targetWithLength(target: Target, path: string): Promise<{ target: Target; bytes: number }> {
  const { status, body } = await target.get(path);
  check(status === 200, `${path} returns 200, not ${status}: ${body.slice(0, 200)}`);
  const { alerts } = JSON.parse(body) as { alerts: unknown[] };
  check(alerts.length > 0, `${path} finds alerts`);
  return { target, bytes: Buffer.byteLength(body) };
}
