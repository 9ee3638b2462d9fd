import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { Target } from '../../target.ts';
import { type Bench, check } from '../bench.ts';
import { type Comparison, compare, databaseTime } from '../../comparison.ts';

/** Compares the database time of summary and trend with a GROUP BY over the rows, for windows with odd bounds. */
export async function alertCounts(bench: Bench): Promise<Comparison[]> {
  const { endMs } = bench.set;
  const oddMs = 47 * MINUTE_MS + 13_579;
  const windows = {
    'all time': null,
    '90 days': [endMs - 90 * DAY_MS + oddMs, endMs - oddMs],
    '30 days': [endMs - 30 * DAY_MS - oddMs, endMs - oddMs],
    '72 h': [endMs - 72 * HOUR_MS, endMs - oddMs],
  } as const;
  const comparisons: Comparison[] = [];
  for (const [name, window] of Object.entries(windows)) {
    const query = window === null ? '' : `from=${iso(window[0])}&to=${iso(window[1])}`;
    comparisons.push(...(await compareCounts(bench, 'summary', name, query, window)));
    comparisons.push(...(await compareCounts(bench, 'severityTrend', name, query, window)));
  }
  return comparisons;
}

async function compareCounts(
  bench: Bench,
  route: 'summary' | 'severityTrend',
  name: string,
  query: string,
  window: readonly [number, number] | null,
): Promise<Comparison[]> {
  const path = `/api/v1/alerts:${route}?${query}`;
  const operation = `${route === 'summary' ? 'summary' : 'trend'}, ${name}`;
  const where = `customer_id = 1${window === null ? '' : ` AND created_at >= '${iso(window[0])}' AND created_at < '${iso(window[1])}'`}`;
  const groups =
    route === 'summary' ? 'severity, state, type' : "date_trunc('hour', created_at, 'UTC'), severity";
  const raw = await bench.databaseTime.ofStatement(
    `SELECT ${groups}, count(*) FROM fleet.alerts WHERE ${where} GROUP BY ${groups}`,
  );
  const response = await bench.fleetApi.json<{
    summary?: { severity: { count: number }[] };
    points?: { count: number }[];
  }>(path);
  const counts = response.summary?.severity ?? response.points ?? [];
  const sum = counts.reduce((all, { count }) => all + count, 0);
  const page = await bench.fleetApi.json<{ total_size: number }>(`/api/v1/alerts/?page_size=1&${query}`);
  check(sum === page.total_size && sum > 0, `${path} adds up to the total of the list`);

  const time = (caller: Target, parameters = '') =>
    bench.databaseTime.ofRequests(() => caller.json(`${path}${parameters}`), bench.calls);
  const wholeCustomer = await time(bench.fleetApi);
  // Required only where the GROUP BY reads ten million rows.
  const required = bench.set.size.alerts >= 10_000_000 && window === null ? { speed: 100 } : null;
  const key = '&api_key_id=10101';
  return [
    compare(operation, [wholeCustomer, raw], 'ms', 'GROUP BY over the rows', required),
    databaseTime(`${operation}, whole customer`, wholeCustomer, 2),
    databaseTime(`${operation}, five workspaces`, await time(bench.fleetApiByWorkspaces), 15),
    databaseTime(`${operation}, an API key`, await time(bench.fleetApi, key), 15),
    databaseTime(
      `${operation}, an API key within five workspaces`,
      await time(bench.fleetApiByWorkspaces, key),
      15,
    ),
  ];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
