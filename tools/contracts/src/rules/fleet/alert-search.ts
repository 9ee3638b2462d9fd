import { descending, expectOnly, expectSame, expectSorted, expectThat } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { type Alert, query, readSnapshot, someAlerts, sum } from './requests.ts';

const PAGE_SIZE = 300;

export const alertSearch: Rule[] = [
  rule('search-finds-each-text', 'docs/fleet-api.md#search-alerts', async (target) => {
    const sample = (await someAlerts(target)).find(({ hostname }) => hostname !== null);
    const [first] = (await someAlerts(target)) as [Alert];
    const alert = sample ?? first;
    const texts = [alert.title, alert.description, alert.hostname].filter((text) => text !== null);
    for (const text of texts) {
      const q = text.slice(0, 60).trim().toUpperCase();
      const contains = ({ hostname, title, description }: Alert) =>
        [hostname, title, description].some((own) => own !== null && own.toUpperCase().includes(q));
      const [page] = await readSnapshot(target, [`/alerts:search?${query({ q, page_size: PAGE_SIZE })}`]);
      expectOnly(page.alerts, contains, `q=${q}`);
      expectThat(
        page.alerts.length === PAGE_SIZE || page.alerts.some(({ id }) => id === alert.id),
        `q=${q} omits alert ${alert.id}`,
      );
    }
    return `${texts.length} texts`;
  }),
  rule('groups-add-up', 'docs/fleet-api.md#alert-groups', async (target) => {
    await someAlerts(target);
    const [{ summary }, byType, bySeverity, byDay, byHost] = await readSnapshot(target, [
      '/alerts:summary',
      '/alerts:groups?group_by=type&page_size=1000',
      '/alerts:groups?group_by=severity&page_size=1000',
      '/alerts:groups?group_by=day&page_size=1000',
      '/alerts:groups?group_by=host&page_size=1000',
    ]);
    const total = sum(summary.severity);
    for (const [name, body] of Object.entries({
      type: byType,
      severity: bySeverity,
      day: byDay,
      host: byHost,
    })) {
      expectSame(body.total, total, `total of group_by=${name}`);
      for (const group of body.groups) {
        const counts = Object.values(group.by_severity);
        expectSame(
          group.count,
          counts.reduce((added, n) => added + n, 0),
          `count of ${JSON.stringify(group)}`,
        );
        expectThat(group.first_at <= group.last_at, `${JSON.stringify(group)} ends before it begins`);
      }
      if (body.group_count === body.groups.length)
        expectSame(sum(body.groups), total, `sum of group_by=${name}`);
      const counts = body.groups.map(({ count }) => count);
      if (name !== 'day') expectSorted(counts, descending, `counts by ${name}`);
    }
    const days = byDay.groups.map(({ day }) => String(day));
    expectSame(days, days.toSorted().reverse(), 'days, the newest first');
    expectSame(
      byType.groups.map(({ type, count }) => [type, count]),
      summary.type.map(({ value, count }) => [value, count]),
      'counts by type and in the summary',
    );
    return `${total} alerts in ${byHost.group_count} groups by host`;
  }),
];
