import { nameOf, jsonOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { type AlertPage, API, type CountOf, query, SEVERITIES, someAlerts } from './fleet-words.ts';

interface Summary {
  summary: Record<'severity' | 'type' | 'state', CountOf[]>;
}
interface Trend {
  points: { bucket: string; severity: string; count: number }[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Up to and including this width, a bucket is an hour (decisions, section 2). */
const HOURLY_UP_TO_MS = 72 * HOUR_MS;
/** Data may change between two requests; then they are asked anew. */
const ATTEMPTS = 5;

const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);
const countsOf = (column: CountOf[]) => Object.fromEntries(column.map(({ value, count }) => [value, count]));

export const alertCounts: Rule<Subject>[] = [
  {
    name: 'totals-agree',
    source: 'contract 4.2, summary and trend rules',
    async hold(subject) {
      await someAlerts(subject);
      const seen: number[] = [];
      for (const filter of [
        {},
        { 'filter[severity][in]': 'critical,high' },
        { 'filter[state][equals]': 'active', 'filter[type][notIn]': 'gpu_ecc' },
        { 'filter[hostname][contains]': 'a' },
      ]) {
        const parameters = { ...filter, to: new Date().toISOString() };
        const [page, { summary }, { points }] = await atOneMoment<[AlertPage, Summary, Trend]>(subject, [
          `/alerts/?${query({ ...parameters, page_size: 1 })}`,
          `/alerts:summary?${query(parameters)}`,
          `/alerts:severityTrend?${query(parameters)}`,
        ]);
        const chosen = summary.severity.filter(
          ({ value }) => !('filter[severity][in]' in filter) || ['critical', 'high'].includes(value),
        );
        const what = JSON.stringify(filter);
        expectSame(sum(chosen), page.total_size, `severities of the summary against total_size, ${what}`);
        expectSame(sum(points), page.total_size, `points of the trend against total_size, ${what}`);
        seen.push(sum(points));
      }
      return `${seen.join(', ')} by total_size, summary and trend`;
    },
  },
  {
    name: 'summary-column-ignores-own-filter',
    source: 'contract 4.2, summary rules',
    async hold(subject) {
      await someAlerts(subject);
      const to = new Date().toISOString();
      const [{ summary: all }, { summary: critical }] = await atOneMoment<[Summary, Summary]>(subject, [
        `/alerts:summary?${query({ to })}`,
        `/alerts:summary?${query({ to, 'filter[severity][equals]': 'critical' })}`,
      ]);
      expectSame(critical.severity, all.severity, 'severities with a filter on severity');
      const due = countsOf(all.severity).critical ?? 0;
      for (const column of ['type', 'state'] as const)
        expectSame(sum(critical[column]), due, `counts by ${column} of critical alerts`);
      return `severities kept, ${due} critical by type and by state`;
    },
  },
  {
    name: 'summary-order',
    source: 'decisions 2, Summary',
    async hold(subject) {
      await someAlerts(subject);
      const [{ summary }] = await atOneMoment<[Summary]>(subject, ['/alerts:summary']);
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
      return 'severities by rank, others the most frequent first, none of 0';
    },
  },
  {
    name: 'trend-buckets',
    source: 'contract 4.2, trend rules',
    async hold(subject) {
      await someAlerts(subject);
      const to = Date.now();
      for (const [widthMs, grainMs] of [
        [DAY_MS, HOUR_MS],
        [HOURLY_UP_TO_MS, HOUR_MS],
        [HOURLY_UP_TO_MS + 1, DAY_MS],
        [90 * DAY_MS, DAY_MS],
      ] as const) {
        const window = { from: new Date(to - widthMs).toISOString(), to: new Date(to).toISOString() };
        const [{ points }] = await atOneMoment<[Trend]>(subject, [`/alerts:severityTrend?${query(window)}`]);
        const keys = points.map(({ bucket, severity }) => `${bucket} ${SEVERITIES.indexOf(severity)}`);
        expectSame(keys, [...new Set(keys)].sort(), `buckets of ${widthMs / HOUR_MS} h`);
        for (const { bucket, count } of points) {
          expectThat(
            Date.parse(bucket) % grainMs === 0 && count > 0,
            `${count} at ${bucket} in a window of ${widthMs / HOUR_MS} h`,
          );
        }
      }
      return 'hours up to 72 h, then days, UTC-aligned, by rank, none of 0';
    },
  },
];

/**
 * Answers to several questions about the same data: those of which the newest import is the same one.
 *
 * @throws {NotSeen} when data arrives faster than that
 */
async function atOneMoment<Bodies extends unknown[]>(subject: Subject, paths: string[]): Promise<Bodies> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answers = [];
    for (const path of paths) {
      const answer = await subject.read(`${API}${path}`);
      expectThat(answer.status === 200, `${nameOf(answer)}: ${answer.text.slice(0, 200)}`);
      answers.push(answer);
    }
    if (new Set(answers.map(({ headers }) => headers['x-data-as-of'])).size === 1)
      return answers.map(jsonOf) as Bodies;
  }
  throw new NotSeen(`data arrived during each of ${ATTEMPTS} attempts`);
}
