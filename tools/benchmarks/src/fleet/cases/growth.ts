import { check } from '../bench.ts';
import type { Comparison } from '../comparison.ts';
import { median, type Target } from '../load/target.ts';

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
];
/** Every sort both ways, every filter with few values, the whole of a window, an API key. */
const QUERIES = [...SORTS.map((sort) => `sort=${sort}`), ...FILTERS, 'api_key_id=10101', 'workspace_id=103'];
const PAGE_SIZE = 100;
const CALLS_A_TURN = 5;

/** One data set of a size, asked by an administrator of one customer, of two, and by somebody with five workspaces. */
export interface GrowthTargets {
  oneCustomer: Target;
  twoCustomers: Target;
  fiveWorkspaces: Target;
}

/** How much longer the same takes at ten times the rows: the middle of many single calls, by turns. */
export async function growth(
  small: GrowthTargets,
  large: GrowthTargets,
  calls: number,
): Promise<Comparison[]> {
  const cases = (['oneCustomer', 'twoCustomers', 'fiveWorkspaces'] as const).flatMap((who) =>
    QUERIES.map((query) => ({ who, query })),
  );
  const comparisons: Comparison[] = [];
  for (const { who, query } of cases) {
    const path = `/api/v1/alerts/?page_size=${PAGE_SIZE}&${query}`;
    const [ofSmall, ofLarge] = [await asked(small[who], path), await asked(large[who], path)];
    const times: [number[], number[]] = [[], []];
    for (let turn = 0; turn < calls / CALLS_A_TURN; turn++) {
      for (const [index, { target, bytes }] of [ofSmall, ofLarge].entries()) {
        const options = { seconds: 60, concurrency: 1, most: CALLS_A_TURN };
        (times[index] as number[]).push(...(await target.times(path, options, { status: 200, bytes })));
      }
    }
    comparisons.push({
      operation: `alerts, ${query.replaceAll('filter', '')}, ${NAMES[who]}`,
      against: 'a tenth of the rows',
      ours: median(times[1]),
      theirs: median(times[0]),
      unit: 'ms',
      bar: { kind: 'cost', limit: 1.3 },
    });
  }
  return comparisons;
}

const NAMES = {
  oneCustomer: 'one customer',
  twoCustomers: 'two customers',
  fiveWorkspaces: 'five workspaces',
};

async function asked(target: Target, path: string): Promise<{ target: Target; bytes: number }> {
  const { status, body } = await target.get(path);
  check(status === 200, `${path} answered ${status}: ${body.slice(0, 200)}`);
  const { alerts } = JSON.parse(body) as { alerts: unknown[] };
  check(alerts.length > 0, `${path} finds alerts`);
  return { target, bytes: Buffer.byteLength(body) };
}
