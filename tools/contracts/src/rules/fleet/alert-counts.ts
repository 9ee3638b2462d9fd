import { ascending, descending, expectSame, expectSorted, expectThat, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { query, readSnapshot, SEVERITIES, someAlerts, sum, type Summary } from './requests.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Widest window with hourly buckets; wider windows have daily ones. */
const MAX_HOURLY_WINDOW_MS = 72 * HOUR_MS;

const COLUMNS = ['severity', 'type', 'state'] as const;

const countsOf = (column: Summary['summary'][(typeof COLUMNS)[number]]) =>
  new Map<string, number>(column.map(({ value, count }) => [value, count]));

export const alertCounts: Rule[] = [
  rule('totals-agree', 'docs/fleet-api.md#alert-summary', async (target) => {
    await someAlerts(target);
    const totals: number[] = [];
    for (const filter of [
      {},
      { 'filter[severity][in]': 'critical,high' },
      { 'filter[state][equals]': 'active', 'filter[type][notIn]': 'gpu_ecc' },
      { 'filter[hostname][contains]': 'a' },
    ]) {
      const parameters = { ...filter, to: new Date().toISOString() };
      const [page, { summary }, { points }] = await readSnapshot(target, [
        `/alerts/?${query({ ...parameters, page_size: 1 })}`,
        `/alerts:summary?${query(parameters)}`,
        `/alerts:severityTrend?${query(parameters)}`,
      ]);
      const what = JSON.stringify(filter);
      expectThat(totals.length > 0 || sum(points) > 0, 'the trend of all alerts counts none');
      const selected = summary.severity.filter(
        ({ value }) => !('filter[severity][in]' in filter) || ['critical', 'high'].includes(value),
      );
      expectSame(sum(selected), sum(points), `severities of the summary compared with the trend, ${what}`);
      // Counting the matches of a text filter has a limit, see docs/fleet-api.md#list-alerts.
      const isUncounted = page.total_size === null && 'filter[hostname][contains]' in filter;
      if (!isUncounted)
        expectSame(page.total_size, sum(points), `total_size compared with the trend, ${what}`);
      totals.push(sum(points));
    }
    return `total_size, summary and trend agree: ${totals.join(', ')}`;
  }),
  rule('summary-column-ignores-own-filter', 'docs/fleet-api.md#alert-summary', async (target) => {
    await someAlerts(target);
    const to = new Date().toISOString();
    const checked: string[] = [];
    for (const column of COLUMNS) {
      const [{ summary: all }] = await readSnapshot(target, [`/alerts:summary?${query({ to })}`]);
      expectThat(all[column].length > 0, `no counts by ${column}`);
      const { value } = all[column][0]!;
      const [{ summary: unfiltered }, { summary: filtered }] = await readSnapshot(target, [
        `/alerts:summary?${query({ to })}`,
        `/alerts:summary?${query({ to, [`filter[${column}][equals]`]: value })}`,
      ]);
      expectSame(filtered[column], unfiltered[column], `counts by ${column} with a filter on ${column}`);
      const expected = countsOf(filtered[column]).get(value);
      for (const other of COLUMNS.filter((name) => name !== column))
        expectSame(sum(filtered[other]), expected, `counts by ${other} of alerts with ${column} ${value}`);
      checked.push(`${expected} ${value}`);
    }
    return `own column unchanged, the others narrowed: ${checked.join(', ')}`;
  }),
  rule('summary-order', 'docs/fleet-api.md#alert-summary', async (target) => {
    await someAlerts(target);
    const [{ summary }] = await readSnapshot(target, ['/alerts:summary']);
    for (const column of COLUMNS) expectThat(summary[column].length > 0, `no counts by ${column}`);
    const ranks = summary.severity.map(({ value }) => SEVERITIES.indexOf(value));
    expectSorted(ranks, ascending, 'ranks of the severities');
    for (const column of ['type', 'state'] as const) {
      const counts = summary[column].map(({ count }) => count);
      expectSorted(counts, descending, `counts by ${column}`);
    }
    for (const { value, count } of Object.values(summary).flat())
      expectThat(count > 0, `${value} is listed with ${count}`);
    return 'severities by rank, types and states by count, no zero counts';
  }),
  rule('trend-buckets', 'docs/fleet-api.md#alert-trend', async (target) => {
    const alerts = await someAlerts(target);
    // In the first hour of a day, the bucket of the hour is that of the day.
    const alert = alerts.find(({ created_at }) => Date.parse(created_at) % DAY_MS >= HOUR_MS);
    if (!alert) throw new Skipped('needs an alert after 01:00 UTC of its day');
    const createdAt = Date.parse(alert.created_at);
    const to = createdAt + 1;
    for (const [widthMs, grainMs] of [
      [DAY_MS, HOUR_MS],
      [MAX_HOURLY_WINDOW_MS, HOUR_MS],
      [MAX_HOURLY_WINDOW_MS + 1, DAY_MS],
      [90 * DAY_MS, DAY_MS],
    ] as const) {
      const window = { from: new Date(to - widthMs).toISOString(), to: new Date(to).toISOString() };
      const what = `a window of ${widthMs / HOUR_MS} h`;
      const [{ points }] = await readSnapshot(target, [`/alerts:severityTrend?${query(window)}`]);
      const keys = points.map(({ bucket, severity }) => `${bucket} ${SEVERITIES.indexOf(severity)}`);
      expectSame(keys, [...new Set(keys)].sort(), `buckets of ${what}`);
      for (const { bucket, count } of points)
        expectThat(Date.parse(bucket) % grainMs === 0 && count > 0, `${count} at ${bucket} in ${what}`);
      const bucketMs = createdAt - (createdAt % grainMs);
      expectThat(
        points.some(({ bucket, severity }) => Date.parse(bucket) === bucketMs && severity === alert.severity),
        `${what} lacks ${alert.severity} at ${new Date(bucketMs).toISOString()}, the bucket of alert ${alert.id}`,
      );
    }
    return 'hours up to 72 h, then days, UTC-aligned, by rank, no zero counts';
  }),
];
