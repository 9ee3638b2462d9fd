import { DAY_MS } from '@gpu-observatory/domain-types';
import { query } from '@gpu-observatory/embedded-database';
import { type Bench, check } from '../bench.ts';
import { type Comparison, compare } from '../../comparison.ts';
import { median } from '../../target.ts';

interface TextFilter {
  name: string;
  filter: string;
  /** The same condition in SQL. */
  sql: string;
  /** Only the alerts of the middle third of the days. */
  isNarrow?: boolean;
  /** Upper limit of the median response time, in ms. */
  limit: number;
}

const FILTERS: TextFilter[] = [
  {
    name: 'a text without matches',
    filter: 'filter[title][contains]=nothing',
    sql: "title LIKE '%nothing%'",
    limit: 50,
  },
  {
    name: 'a rare text',
    filter: 'filter[description][contains]=process 399819 that',
    sql: "description LIKE 'Process 399819 that%'",
    limit: 50,
  },
  {
    name: 'a part of a rare word',
    filter: 'filter[description][contains]=99819',
    sql: "description LIKE '%99819%'",
    limit: 50,
  },
  {
    name: 'a host',
    filter: 'filter[hostname][startsWith]=node-0042.',
    sql: "hostname LIKE 'node-0042.%'",
    limit: 50,
  },
  {
    name: 'a host in a third of the days',
    filter: 'filter[hostname][startsWith]=node-0042.',
    sql: "hostname LIKE 'node-0042.%'",
    isNarrow: true,
    limit: 50,
  },
  {
    name: 'a common text',
    filter: 'filter[title][contains]=pattern 5',
    sql: "title LIKE '%pattern 5%'",
    limit: 100,
  },
  {
    name: 'all but a host',
    filter: 'filter[hostname][notContains]=node-0042.',
    sql: "hostname NOT LIKE '%node-0042.%' OR hostname IS NULL",
    limit: 100,
  },
];

/** Measures the response time of pages with text filters, and compares their totals with the rows. */
export async function texts(bench: Bench): Promise<Comparison[]> {
  const { url, endMs, size } = bench.set;
  const third = (size.days * DAY_MS) / 3;
  const window = [endMs - 2 * third, endMs - third].map((ms) => new Date(ms).toISOString());
  const comparisons: Comparison[] = [];
  for (const { name, filter, sql, isNarrow = false, limit } of FILTERS) {
    const narrowed = isNarrow ? `&from=${window[0]}&to=${window[1]}` : '';
    const path = encodeURI(`/api/v1/alerts/?page_size=50&${filter}${narrowed}`);
    const { status, body } = await bench.fleetApi.get(path);
    check(status === 200, `${path} returns 200, not ${status}`);
    const { total_size } = JSON.parse(body) as { total_size: number | null };
    const within = isNarrow ? `created_at >= '${window[0]}' AND created_at < '${window[1]}'` : 'true';
    const [rows] = await query<{ n: number }>(
      url,
      `SELECT count(*)::integer AS n FROM fleet.alerts WHERE customer_id = 1 AND ${within} AND (${sql})`,
    );
    check(
      total_size === null || total_size === rows?.n,
      `${path} has the total ${rows?.n}, not ${total_size}`,
    );
    const expected = { status: 200, bytes: Buffer.byteLength(body) };
    const options = { seconds: 60, concurrency: 1, maxCalls: bench.calls };
    const times = await bench.fleetApi.times(path, options, expected);
    comparisons.push(
      compare(`alerts, ${name}`, [median(times), NaN], 'ms', 'response time', { time: limit }),
    );
  }
  return comparisons;
}
