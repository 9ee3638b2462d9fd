import { expectSame, expectSorted, expectThat, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import {
  type Alert,
  byCodePoint,
  query,
  readOk,
  readSnapshot,
  SEVERITIES,
  someAlerts,
  UTC_MILLISECONDS,
} from './requests.ts';

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

export const alertLists: Rule[] = [
  rule('alert-timestamps', 'docs/fleet-api.md#list-alerts', async (target) => {
    const alerts = await someAlerts(target);
    for (const { created_at } of alerts)
      expectThat(UTC_MILLISECONDS.test(created_at), `created_at ${created_at}`);
    return `${alerts.length} alerts, UTC milliseconds`;
  }),
  rule('newest-first-by-default', 'docs/fleet-api.md#sorting', async (target) => {
    const alerts = await someAlerts(target, 2);
    expectSorted(alerts, newestFirst, 'no sort');
    return `${alerts.length} alerts`;
  }),
  rule('sort-order', 'docs/fleet-api.md#sorting', async (target) => {
    await someAlerts(target, 2);
    for (const [field, ascending] of Object.entries(orders)) {
      for (const sign of ['', '-']) {
        const sort = `sort=${sign}${field}`;
        const [{ alerts }, { alerts: first }] = await readSnapshot(target, [
          `/alerts/?page_size=500&${sort}`,
          `/alerts/?page_size=1&${sort}`,
        ]);
        expectThat(alerts.length > 1, `${alerts.length} alerts with ${sort}`);
        // Differs when each page is sorted by itself.
        expectSame(first[0]?.id, alerts[0]!.id, `first alert of a page of 1 compared with 500, ${sort}`);
        const direction = sign === '-' ? -1 : 1;
        const nullsLast = (a: Alert, b: Alert) =>
          field === 'hostname' ? Number(a.hostname === null) - Number(b.hostname === null) : 0;
        expectSorted(
          alerts,
          (a, b) =>
            nullsLast(a, b) ||
            direction * ascending(a, b) ||
            (field === 'timestamp' ? byCodePoint(a.id, b.id) : newestFirst(a, b)),
          sort,
        );
      }
    }
    return '5 sorts both ways, severity by rank, ties newest first';
  }),
  rule('severity-sort-by-rank', 'docs/fleet-api.md#sorting', async (target) => {
    const [{ alerts: first }, { alerts: last }, { summary }] = await readSnapshot(target, [
      '/alerts/?page_size=1&sort=severity',
      '/alerts/?page_size=1&sort=-severity',
      '/alerts:summary',
    ]);
    const severities = summary.severity.map(({ value }) => value).sort((one, two) => rank(one) - rank(two));
    if (severities.length < 2) throw new Skipped('needs alerts of two severities');
    expectSame(first[0]?.severity, severities[0], 'the first by severity');
    expectSame(last[0]?.severity, severities.at(-1), 'the first by -severity');
    return `${first[0]?.severity} to ${last[0]?.severity}`;
  }),
  rule('pages-neither-overlap-nor-skip', 'docs/fleet-api.md#pagination', async (target) => {
    const { total_size: total } = await readOk(target, '/alerts/?page_size=1');
    if (!total || total < 3) throw new Skipped(`needs 3 alerts, the deployment has ${total}`);
    let summary = '';
    for (const sort of ['-timestamp', 'severity', 'hostname'])
      summary = await expectDistinctPages(target, sort, total);
    return `3 sorts: ${summary}`;
  }),
  rule('no-page-token-after-last-page', 'docs/fleet-api.md#pagination', async (target) => {
    const [newest] = await someAlerts(target);
    // A window that ends before the newest alert does not change.
    const window = { to: newest!.created_at, from: '2000-01-01T00:00:00Z' };
    const { total_size: total } = await readOk(target, `/alerts/?${query({ ...window, page_size: 1 })}`);
    if (!total || total > 10_000) throw new Skipped(`needs 1 to 10,000 alerts, the window has ${total}`);
    const page = await readOk(target, `/alerts/?${query({ ...window, page_size: total })}`);
    if (page.total_size !== total) throw new Skipped('alerts with older timestamps arrived');
    expectSame(page.alerts.length, total, 'alerts on a page with room for all');
    expectThat(!('next_page_token' in page), 'next_page_token is present although no page follows');
    return `${total} alerts on one page, no token`;
  }),
  rule('window-is-half-open', 'docs/fleet-api.md#list-alerts', async (target) => {
    const alerts = await someAlerts(target, 2);
    const [newest, older] = [alerts[0]!, alerts.find(({ created_at }) => created_at < alerts[0]!.created_at)];
    if (!older) throw new Skipped('needs alerts of two moments');
    const listOf = async (window: Record<string, string>, sort: string) =>
      (await readOk(target, `/alerts/?${query({ ...window, sort, page_size: 1000 })}`)).alerts;
    const has = (list: Alert[], { id }: Alert) => list.some((alert) => alert.id === id);
    const from = newest.created_at;
    const since = await listOf({ from }, 'timestamp');
    expectThat(has(since, newest), `from=${from} excludes the alert of that time`);
    const early = since.find(({ created_at }) => created_at < from);
    expectThat(!early, `from=${from} includes the alert of ${early?.created_at}`);
    const until = await listOf({ to: from }, '-timestamp');
    expectThat(has(until, older), `to=${from} excludes the alert of ${older.created_at}`);
    const late = until.find(({ created_at }) => created_at >= from);
    expectThat(!late, `to=${from} includes the alert of ${late?.created_at}`);
    const empty = await listOf({ from, to: from }, '-timestamp');
    expectSame(empty.length, 0, 'alerts in an empty window');
    return 'from inclusive, to exclusive';
  }),
];

async function expectDistinctPages(target: Target, sort: string, total: number): Promise<string> {
  const pageSize = Math.min(800, Math.max(1, Math.ceil(total / 8)));
  const ids = new Set<string>();
  const [onePage, firstPage] = await readSnapshot(target, [
    `/alerts/?${query({ sort, page_size: MAX_PAGES * pageSize })}`,
    `/alerts/?${query({ sort, page_size: pageSize })}`,
  ]);
  let page = firstPage;
  const expected = page.total_size;
  expectThat(expected !== null, 'total_size of the first page is null');
  let pages = 1;
  for (;;) {
    for (const { id } of page.alerts) {
      expectThat(!ids.has(id), `sort=${sort}: alert ${id} is on two pages`);
      ids.add(id);
    }
    if (page.next_page_token === undefined || pages === MAX_PAGES) break;
    page = await readOk(
      target,
      `/alerts/?${query({ sort, page_size: pageSize, page_token: page.next_page_token })}`,
    );
    pages += 1;
    expectThat(page.total_size === null, `total_size of page ${pages} is ${page.total_size}, not null`);
  }
  // Pages of very long alerts end early, so both may have fewer alerts than requested.
  const length = Math.min(ids.size, onePage.alerts.length);
  expectSame(
    [...ids].slice(0, length),
    onePage.alerts.slice(0, length).map(({ id }) => id),
    `sort=${sort}: alerts of ${pages} pages compared with one page`,
  );
  if (page.next_page_token === undefined) expectSame(ids.size, expected, `sort=${sort}: alerts on all pages`);
  return `${ids.size} distinct alerts on ${pages} pages of ${pageSize}`;
}
