import { expectSame, expectThat, Skipped, type Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import {
  type Alert,
  type AlertPage,
  byCodePoint,
  query,
  readOk,
  SEVERITIES,
  someAlerts,
} from './requests.ts';

const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** More pages would take long and find the same faults. */
const MAX_PAGES = 12;

const rank = (severity: string) => SEVERITIES.indexOf(severity);
const newestFirst = (a: Alert, b: Alert) =>
  byCodePoint(b.created_at, a.created_at) || byCodePoint(a.id, b.id);

/** Ascending order of each sort field. A missing hostname is last in both directions. */
const orders: Record<string, (a: Alert, b: Alert) => number> = {
  timestamp: (a, b) => byCodePoint(a.created_at, b.created_at),
  severity: (a, b) => rank(a.severity) - rank(b.severity),
  type: (a, b) => byCodePoint(a.type, b.type),
  state: (a, b) => byCodePoint(a.state, b.state),
  hostname: (a, b) => byCodePoint(a.hostname ?? '', b.hostname ?? ''),
};

export const alertLists: Rule<Target>[] = [
  {
    name: 'alert-timestamps',
    source: 'docs/fleet-api.md#alert',
    async check(target) {
      const alerts = await someAlerts(target);
      for (const { created_at } of alerts)
        expectThat(UTC_MILLISECONDS.test(created_at), `created_at ${created_at}`);
      return `${alerts.length} alerts, UTC milliseconds`;
    },
  },
  {
    name: 'newest-first-by-default',
    source: 'docs/fleet-api.md#sorting',
    async check(target) {
      const alerts = await someAlerts(target, 2);
      expectOrdered(alerts, newestFirst, 'no sort');
      return `${alerts.length} alerts`;
    },
  },
  {
    name: 'sort-order',
    source: 'docs/fleet-api.md#sorting',
    async check(target) {
      await someAlerts(target, 2);
      for (const [field, ascending] of Object.entries(orders)) {
        for (const sign of ['', '-']) {
          const { alerts } = await readOk<AlertPage>(target, `/alerts/?page_size=500&sort=${sign}${field}`);
          const direction = sign === '-' ? -1 : 1;
          const nullsLast = (a: Alert, b: Alert) =>
            field === 'hostname' ? Number(a.hostname === null) - Number(b.hostname === null) : 0;
          expectOrdered(
            alerts,
            (a, b) =>
              nullsLast(a, b) ||
              direction * ascending(a, b) ||
              (field === 'timestamp' ? byCodePoint(a.id, b.id) : newestFirst(a, b)),
            `sort=${sign}${field}`,
          );
        }
      }
      return '5 sorts both ways, severity by rank, ties newest first';
    },
  },
  {
    name: 'severity-sort-by-rank',
    source: 'docs/fleet-api.md#sorting',
    async check(target) {
      const { alerts: first } = await readOk<AlertPage>(target, '/alerts/?page_size=1&sort=severity');
      const { alerts: last } = await readOk<AlertPage>(target, '/alerts/?page_size=1&sort=-severity');
      const { summary } = await readOk<{ summary: { severity: { value: string }[] } }>(
        target,
        '/alerts:summary',
      );
      if (summary.severity.length < 2) throw new Skipped('needs alerts of two severities');
      expectSame(first[0]?.severity, summary.severity[0]?.value, 'the first by severity');
      expectSame(last[0]?.severity, summary.severity.at(-1)?.value, 'the first by -severity');
      return `${first[0]?.severity} to ${last[0]?.severity}`;
    },
  },
  {
    name: 'pages-neither-overlap-nor-skip',
    source: 'docs/fleet-api.md#pagination',
    async check(target) {
      const { total_size: total } = await readOk<AlertPage>(target, '/alerts/?page_size=1');
      if (!total || total < 3) throw new Skipped(`needs 3 alerts, the deployment has ${total}`);
      let summary = '';
      for (const sort of ['-timestamp', 'severity', 'hostname'])
        summary = await expectDistinctPages(target, sort, total);
      return `3 sorts: ${summary}`;
    },
  },
  {
    name: 'no-page-token-after-last-page',
    source: 'docs/fleet-api.md#pagination',
    async check(target) {
      const [newest] = await someAlerts(target);
      // A window that ends before the newest alert does not change.
      const window = { to: newest!.created_at, from: '2000-01-01T00:00:00Z' };
      const { total_size: total } = await readOk<AlertPage>(
        target,
        `/alerts/?${query({ ...window, page_size: 1 })}`,
      );
      if (!total || total > 10_000) throw new Skipped(`needs 1 to 10,000 alerts, the window has ${total}`);
      const page = await readOk<AlertPage>(target, `/alerts/?${query({ ...window, page_size: total })}`);
      if (page.total_size !== total) throw new Skipped('alerts with older timestamps arrived');
      expectSame(page.alerts.length, total, 'alerts on a page with room for all');
      expectThat(!('next_page_token' in page), 'next_page_token is present although no page follows');
      return `${total} alerts on one page, no token`;
    },
  },
  {
    name: 'window-is-half-open',
    source: 'docs/fleet-api.md#list-alerts',
    async check(target) {
      const alerts = await someAlerts(target, 2);
      const { id, created_at } = alerts.at(-1)!;
      const listIds = async (window: Record<string, string>) =>
        (
          await readOk<AlertPage>(
            target,
            `/alerts/?${query({ ...window, page_size: 1000, sort: 'from' in window ? 'timestamp' : '-timestamp' })}`,
          )
        ).alerts.map((alert) => alert.id);
      expectThat(
        (await listIds({ from: created_at })).includes(id),
        `from=${created_at} excludes the alert of that time`,
      );
      expectThat(
        !(await listIds({ to: created_at })).includes(id),
        `to=${created_at} includes the alert of that time`,
      );
      const { alerts: empty } = await readOk<AlertPage>(
        target,
        `/alerts/?${query({ from: created_at, to: created_at })}`,
      );
      expectSame(empty.length, 0, 'alerts in an empty window');
      return 'from inclusive, to exclusive';
    },
  },
  {
    name: 'filters-match',
    source: 'docs/fleet-api.md#alert-filters',
    async check(target) {
      const [sample] = await someAlerts(target);
      const { severity, type, hostname } = sample!;
      const filters: [string, string, (alert: Alert) => boolean][] = [
        ['filter[severity][equals]', severity, (alert) => alert.severity === severity],
        ['filter[severity][notEquals]', severity, (alert) => alert.severity !== severity],
        ['filter[severity][in]', 'critical,high', (alert) => rank(alert.severity) < 2],
        ['filter[type][notIn]', type, (alert) => alert.type !== type],
        ['filter[state][equals]', 'ignored', (alert) => alert.state === 'ignored'],
      ];
      if (hostname !== null) {
        const start = hostname.slice(0, 4).toUpperCase();
        filters.push(
          [
            'filter[hostname][equals]',
            hostname,
            (alert) => alert.hostname?.toLowerCase() === hostname.toLowerCase(),
          ],
          [
            'filter[hostname][startsWith]',
            start,
            (alert) => !!alert.hostname?.toUpperCase().startsWith(start),
          ],
          [
            'filter[hostname][notEquals]',
            hostname,
            (alert) => alert.hostname?.toLowerCase() !== hostname.toLowerCase(),
          ],
        );
      }
      for (const [name, value, isMatch] of filters) {
        const { alerts } = await readOk<AlertPage>(
          target,
          `/alerts/?${query({ [name]: value, page_size: 300 })}`,
        );
        const wrong = alerts.find((alert) => !isMatch(alert));
        expectThat(!wrong, `${name}=${value} lists ${JSON.stringify(wrong)}`);
      }
      return `${filters.length} filters`;
    },
  },
];

async function expectDistinctPages(target: Target, sort: string, total: number): Promise<string> {
  const pageSize = Math.min(1000, Math.max(1, Math.ceil(total / 8)));
  const ids = new Set<string>();
  let page = await readOk<AlertPage>(target, `/alerts/?${query({ sort, page_size: pageSize })}`);
  const expected = page.total_size;
  expectThat(expected !== null, 'total_size of the first page is null');
  let pages = 1;
  for (;;) {
    for (const { id } of page.alerts) {
      expectThat(!ids.has(id), `sort=${sort}: alert ${id} is on two pages`);
      ids.add(id);
    }
    if (page.next_page_token === undefined || pages === MAX_PAGES) break;
    page = await readOk<AlertPage>(
      target,
      `/alerts/?${query({ sort, page_size: pageSize, page_token: page.next_page_token })}`,
    );
    pages += 1;
    expectThat(page.total_size === null, `total_size of page ${pages} is ${page.total_size}, not null`);
  }
  if (page.next_page_token === undefined) expectSame(ids.size, expected, `sort=${sort}: alerts on all pages`);
  return `${ids.size} distinct alerts on ${pages} pages of ${pageSize}`;
}

function expectOrdered(alerts: Alert[], compare: (a: Alert, b: Alert) => number, what: string): void {
  for (let index = 1; index < alerts.length; index += 1) {
    const [a, b] = [alerts[index - 1]!, alerts[index]!];
    expectThat(compare(a, b) <= 0, `${what}: ${JSON.stringify(a)} is before ${JSON.stringify(b)}`);
  }
}
