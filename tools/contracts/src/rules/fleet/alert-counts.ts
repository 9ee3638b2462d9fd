import { jsonBody } from '../../deployment/http-exchange.ts';
import { expectStatus } from '../expect-status.ts';
import { expectSame, expectThat, Skipped, type Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { type AlertPage, API, type CountOf, query, SEVERITIES, someAlerts } from './requests.ts';

interface Summary {
  summary: Record<'severity' | 'type' | 'state', CountOf[]>;
}
interface Trend {
  points: { bucket: string; severity: string; count: number }[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Widest window with hourly buckets; wider windows have daily ones. */
const MAX_HOURLY_WINDOW_MS = 72 * HOUR_MS;
/** Data can change between two requests; then the rule repeats them. */
const MAX_ATTEMPTS = 5;

const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);
const countsOf = (column: CountOf[]) => Object.fromEntries(column.map(({ value, count }) => [value, count]));

export const alertCounts: Rule<Target>[] = [
  {
    name: 'totals-agree',
    source: 'docs/fleet-api.md#alert-summary',
    async check(target) {
      await someAlerts(target);
      const totals: number[] = [];
      for (const filter of [
        {},
        { 'filter[severity][in]': 'critical,high' },
        { 'filter[state][equals]': 'active', 'filter[type][notIn]': 'gpu_ecc' },
        { 'filter[hostname][contains]': 'a' },
      ]) {
        const parameters = { ...filter, to: new Date().toISOString() };
        const [page, { summary }, { points }] = await readSnapshot<[AlertPage, Summary, Trend]>(target, [
          `/alerts/?${query({ ...parameters, page_size: 1 })}`,
          `/alerts:summary?${query(parameters)}`,
          `/alerts:severityTrend?${query(parameters)}`,
        ]);
        const selected = summary.severity.filter(
          ({ value }) => !('filter[severity][in]' in filter) || ['critical', 'high'].includes(value),
        );
        const what = JSON.stringify(filter);
        expectSame(
          sum(selected),
          page.total_size,
          `severities of the summary compared with total_size, ${what}`,
        );
        expectSame(sum(points), page.total_size, `points of the trend compared with total_size, ${what}`);
        totals.push(sum(points));
      }
      return `total_size, summary and trend agree: ${totals.join(', ')}`;
    },
  },
  {
    name: 'summary-column-ignores-own-filter',
    source: 'docs/fleet-api.md#alert-summary',
    async check(target) {
      await someAlerts(target);
      const to = new Date().toISOString();
      const [{ summary: all }, { summary: critical }] = await readSnapshot<[Summary, Summary]>(target, [
        `/alerts:summary?${query({ to })}`,
        `/alerts:summary?${query({ to, 'filter[severity][equals]': 'critical' })}`,
      ]);
      expectSame(critical.severity, all.severity, 'severities with a filter on severity');
      const expected = countsOf(all.severity).critical ?? 0;
      for (const column of ['type', 'state'] as const)
        expectSame(sum(critical[column]), expected, `counts by ${column} of critical alerts`);
      return `severities unchanged, ${expected} critical by type and by state`;
    },
  },
  {
    name: 'summary-order',
    source: 'docs/fleet-api.md#alert-summary',
    async check(target) {
      await someAlerts(target);
      const [{ summary }] = await readSnapshot<[Summary]>(target, ['/alerts:summary']);
      const ranks = summary.severity.map(({ value }) => SEVERITIES.indexOf(value));
      expectSame(ranks, [...ranks].sort(), 'ranks of the severities');
      for (const column of ['type', 'state'] as const) {
        const counts = summary[column].map(({ count }) => count);
        expectSame(
          counts,
          counts.toSorted((a, b) => b - a),
          `counts by ${column}`,
        );
      }
      for (const { value, count } of Object.values(summary).flat())
        expectThat(count > 0, `${value} is listed with ${count}`);
      return 'severities by rank, types and states by count, no zero counts';
    },
  },
  {
    name: 'trend-buckets',
    source: 'docs/fleet-api.md#alert-trend',
    async check(target) {
      await someAlerts(target);
      const to = Date.now();
      for (const [widthMs, grainMs] of [
        [DAY_MS, HOUR_MS],
        [MAX_HOURLY_WINDOW_MS, HOUR_MS],
        [MAX_HOURLY_WINDOW_MS + 1, DAY_MS],
        [90 * DAY_MS, DAY_MS],
      ] as const) {
        const window = { from: new Date(to - widthMs).toISOString(), to: new Date(to).toISOString() };
        const [{ points }] = await readSnapshot<[Trend]>(target, [`/alerts:severityTrend?${query(window)}`]);
        const keys = points.map(({ bucket, severity }) => `${bucket} ${SEVERITIES.indexOf(severity)}`);
        expectSame(keys, [...new Set(keys)].sort(), `buckets of ${widthMs / HOUR_MS} h`);
        for (const { bucket, count } of points) {
          expectThat(
            Date.parse(bucket) % grainMs === 0 && count > 0,
            `${count} at ${bucket} in a window of ${widthMs / HOUR_MS} h`,
          );
        }
      }
      return 'hours up to 72 h, then days, UTC-aligned, by rank, no zero counts';
    },
  },
];

/**
 * Reads several paths until all responses have the same `X-Data-As-Of`.
 *
 * @throws {Skipped} when data arrived during each attempt
 */
async function readSnapshot<Bodies extends unknown[]>(target: Target, paths: string[]): Promise<Bodies> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const responses = [];
    for (const path of paths) {
      const response = await target.read(`${API}${path}`);
      expectStatus(response, 200);
      responses.push(response);
    }
    if (new Set(responses.map(({ headers }) => headers['x-data-as-of'])).size === 1)
      return responses.map(jsonBody) as Bodies;
  }
  throw new Skipped(`data arrived during each of ${MAX_ATTEMPTS} attempts`);
}
