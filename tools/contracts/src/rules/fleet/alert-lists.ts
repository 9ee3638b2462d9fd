import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import {
  type Alert,
  type AlertPage,
  byCodePoint,
  query,
  readOk,
  SEVERITIES,
  someAlerts,
} from './fleet-words.ts';

const FIELDS = [
  'api_key_id',
  'created_at',
  'description',
  'gpu_model',
  'gpu_serial',
  'hostname',
  'id',
  'severity',
  'state',
  'title',
  'type',
  'workspace_id',
];
const NULLABLE = ['api_key_id', 'gpu_model', 'gpu_serial', 'hostname', 'workspace_id'];
const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A walk of more pages shows nothing new. */
const MOST_PAGES = 12;

const rank = (severity: string) => SEVERITIES.indexOf(severity);
const newestFirst = (a: Alert, b: Alert) =>
  byCodePoint(b.created_at, a.created_at) || byCodePoint(a.id, b.id);

/** How each sort compares two alerts, ascending; a missing hostname is last both ways (decisions, section 2). */
const orders: Record<string, (a: Alert, b: Alert) => number> = {
  timestamp: (a, b) => byCodePoint(a.created_at, b.created_at),
  severity: (a, b) => rank(a.severity) - rank(b.severity),
  type: (a, b) => byCodePoint(a.type, b.type),
  state: (a, b) => byCodePoint(a.state, b.state),
  hostname: (a, b) => byCodePoint(a.hostname ?? '', b.hostname ?? ''),
};

export const alertLists: Rule<Subject>[] = [
  {
    name: 'alert-has-its-twelve-fields',
    source: 'contract 2.1',
    async hold(subject) {
      const alerts = await someAlerts(subject);
      for (const alert of alerts) {
        expectSame(Object.keys(alert).sort(), FIELDS, `fields of alert ${alert.id}`);
        for (const [name, value] of Object.entries(alert))
          expectThat(value !== null || NULLABLE.includes(name), `${name} of alert ${alert.id} is null`);
        expectThat(UTC_MILLISECONDS.test(alert.created_at), `created_at ${alert.created_at}`);
      }
      return `${alerts.length} alerts, null where it may be, times in UTC milliseconds`;
    },
  },
  {
    name: 'newest-first-by-default',
    source: 'contract 4.2, list rule 1',
    async hold(subject) {
      const alerts = await someAlerts(subject, 2);
      expectOrdered(alerts, newestFirst, 'no sort');
      return `${alerts.length} alerts`;
    },
  },
  {
    name: 'sorts-order',
    source: 'contract 4.2, list rule 2',
    async hold(subject) {
      await someAlerts(subject, 2);
      for (const [field, ascending] of Object.entries(orders)) {
        for (const sign of ['', '-']) {
          const { alerts } = await readOk<AlertPage>(subject, `/alerts/?page_size=500&sort=${sign}${field}`);
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
    source: 'contract 4.2, list rule 2',
    async hold(subject) {
      const { alerts: first } = await readOk<AlertPage>(subject, '/alerts/?page_size=1&sort=severity');
      const { alerts: last } = await readOk<AlertPage>(subject, '/alerts/?page_size=1&sort=-severity');
      const { summary } = await readOk<{ summary: { severity: { value: string }[] } }>(
        subject,
        '/alerts:summary',
      );
      if (summary.severity.length < 2) throw new NotSeen('needs alerts of two severities');
      expectSame(first[0]?.severity, summary.severity[0]?.value, 'the first by severity');
      expectSame(last[0]?.severity, summary.severity.at(-1)?.value, 'the first by -severity');
      return `${first[0]?.severity} to ${last[0]?.severity}`;
    },
  },
  {
    name: 'pages-neither-overlap-nor-skip',
    source: 'contract 4.2, list rules 4, 5',
    async hold(subject) {
      const { total_size: total } = await readOk<AlertPage>(subject, '/alerts/?page_size=1');
      if (!total || total < 3) throw new NotSeen(`needs 3 alerts, there are ${total}`);
      let seen = '';
      for (const sort of ['-timestamp', 'severity', 'hostname']) seen = await walk(subject, sort, total);
      return `3 sorts: ${seen}`;
    },
  },
  {
    name: 'no-token-after-a-full-last-page',
    source: 'contract 4.2, list rule 4; decisions 2',
    async hold(subject) {
      const [newest] = await someAlerts(subject);
      // A window that ends before the newest alert holds still.
      const window = { to: newest!.created_at, from: '2000-01-01T00:00:00Z' };
      const { total_size: total } = await readOk<AlertPage>(
        subject,
        `/alerts/?${query({ ...window, page_size: 1 })}`,
      );
      if (!total || total > 10_000) throw new NotSeen(`needs 1 to 10,000 alerts, there are ${total}`);
      const page = await readOk<AlertPage>(subject, `/alerts/?${query({ ...window, page_size: total })}`);
      if (page.total_size !== total) throw new NotSeen('alerts are arriving in the past');
      expectSame(page.alerts.length, total, 'alerts on a page as large as all');
      expectThat(!('next_page_token' in page), 'next_page_token is there although nothing follows');
      return `${total} alerts on one page, no token`;
    },
  },
  {
    name: 'window-is-half-open',
    source: 'contract 4.1',
    async hold(subject) {
      const alerts = await someAlerts(subject, 2);
      const { id, created_at } = alerts.at(-1)!;
      const idsOf = async (window: Record<string, string>) =>
        (
          await readOk<AlertPage>(
            subject,
            `/alerts/?${query({ ...window, page_size: 1000, sort: 'from' in window ? 'timestamp' : '-timestamp' })}`,
          )
        ).alerts.map((alert) => alert.id);
      expectThat(
        (await idsOf({ from: created_at })).includes(id),
        `from=${created_at} leaves out the alert of then`,
      );
      expectThat(
        !(await idsOf({ to: created_at })).includes(id),
        `to=${created_at} includes the alert of then`,
      );
      const { alerts: none } = await readOk<AlertPage>(
        subject,
        `/alerts/?${query({ from: created_at, to: created_at })}`,
      );
      expectSame(none.length, 0, 'alerts in an empty window');
      return 'from inclusive, to exclusive';
    },
  },
  {
    name: 'filters-select',
    source: 'contract 4.2, filter operators',
    async hold(subject) {
      const [sample] = await someAlerts(subject);
      const { severity, type, hostname } = sample!;
      const tests: [string, string, (alert: Alert) => boolean][] = [
        ['filter[severity][equals]', severity, (alert) => alert.severity === severity],
        ['filter[severity][notEquals]', severity, (alert) => alert.severity !== severity],
        ['filter[severity][in]', 'critical,high', (alert) => rank(alert.severity) < 2],
        ['filter[type][notIn]', type, (alert) => alert.type !== type],
        ['filter[state][equals]', 'ignored', (alert) => alert.state === 'ignored'],
      ];
      if (hostname !== null) {
        const start = hostname.slice(0, 4).toUpperCase();
        tests.push(
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
      for (const [name, value, isDue] of tests) {
        const { alerts } = await readOk<AlertPage>(
          subject,
          `/alerts/?${query({ [name]: value, page_size: 300 })}`,
        );
        const wrong = alerts.find((alert) => !isDue(alert));
        expectThat(!wrong, `${name}=${value} lists ${JSON.stringify(wrong)}`);
      }
      return `${tests.length} filters`;
    },
  },
];

async function walk(subject: Subject, sort: string, total: number): Promise<string> {
  const pageSize = Math.min(1000, Math.max(1, Math.ceil(total / 8)));
  const ids = new Set<string>();
  let page = await readOk<AlertPage>(subject, `/alerts/?${query({ sort, page_size: pageSize })}`);
  const due = page.total_size;
  expectThat(due !== null, 'total_size of the first page is null');
  let pages = 1;
  for (;;) {
    for (const { id } of page.alerts) {
      expectThat(!ids.has(id), `sort=${sort}: alert ${id} is on two pages`);
      ids.add(id);
    }
    if (page.next_page_token === undefined || pages === MOST_PAGES) break;
    page = await readOk<AlertPage>(
      subject,
      `/alerts/?${query({ sort, page_size: pageSize, page_token: page.next_page_token })}`,
    );
    pages += 1;
    expectThat(page.total_size === null, `total_size of page ${pages} is ${page.total_size}, not null`);
  }
  if (page.next_page_token === undefined) expectSame(ids.size, due, `sort=${sort}: alerts on all pages`);
  return `${ids.size} alerts once each on ${pages} pages of ${pageSize}`;
}

function expectOrdered(alerts: Alert[], compare: (a: Alert, b: Alert) => number, what: string): void {
  for (let index = 1; index < alerts.length; index += 1) {
    const [a, b] = [alerts[index - 1]!, alerts[index]!];
    expectThat(compare(a, b) <= 0, `${what}: ${JSON.stringify(a)} is before ${JSON.stringify(b)}`);
  }
}
