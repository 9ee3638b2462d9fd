import { type Bench, check } from '../bench.ts';
import type { Comparison } from '../comparison.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Summary and trend over windows that begin and end anywhere, in the database, beside the GROUP BY of the rows. */
export async function alertCounts(bench: Bench): Promise<Comparison[]> {
  const { endMs } = bench.set;
  const odd = 47 * 60_000 + 13_579;
  const windows = {
    'all time': null,
    '90 days': [endMs - 90 * DAY_MS + odd, endMs - odd],
    '30 days': [endMs - 30 * DAY_MS - odd, endMs - odd],
    '72 h': [endMs - 72 * HOUR_MS, endMs - odd],
  } as const;
  const comparisons: Comparison[] = [];
  for (const [name, window] of Object.entries(windows)) {
    const query = window === null ? '' : `from=${iso(window[0])}&to=${iso(window[1])}`;
    comparisons.push(...(await counted(bench, 'summary', name, query, window)));
    comparisons.push(...(await counted(bench, 'severityTrend', name, query, window)));
  }
  return comparisons;
}

async function counted(
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
  const asked = await bench.fleetApi.json<{
    summary?: { severity: { count: number }[] };
    points?: { count: number }[];
  }>(path);
  const counts = asked.summary?.severity ?? asked.points ?? [];
  const sum = counts.reduce((all, { count }) => all + count, 0);
  const page = await bench.fleetApi.json<{ total_size: number }>(`/api/v1/alerts/?page_size=1&${query}`);
  check(sum === page.total_size && sum > 0, `${path} adds up to the list's total`);

  const all = await bench.databaseTime.of(() => bench.fleetApi.json(path), bench.calls);
  const listed = await bench.databaseTime.of(() => bench.fleetApiByWorkspaces.json(path), bench.calls);
  const key = await bench.databaseTime.of(() => bench.fleetApi.json(`${path}&api_key_id=10101`), bench.calls);
  const keyOfListed = await bench.databaseTime.of(
    () => bench.fleetApiByWorkspaces.json(`${path}&api_key_id=10101`),
    bench.calls,
  );
  const inDatabase = (of: string, ms: number, limit: number): Comparison => ({
    operation: `${operation}, ${of}`,
    against: 'in the database',
    ours: ms,
    theirs: NaN,
    unit: 'ms',
    bar: { kind: 'time', limit },
  });
  return [
    // A hundred times as fast is due where ten million rows would have to be read.
    {
      operation,
      against: 'GROUP BY of the rows',
      ours: all,
      theirs: raw,
      unit: 'ms',
      bar: bench.set.size.alerts >= 10_000_000 && window === null ? { kind: 'speed', limit: 100 } : null,
    },
    inDatabase('customer-wide', all, 5),
    inDatabase('five workspaces', listed, 30),
    inDatabase('a key', key, 30),
    inDatabase('a key within five workspaces', keyOfListed, 30),
  ];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
