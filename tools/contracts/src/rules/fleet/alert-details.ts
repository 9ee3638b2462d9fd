import { expectSame, Skipped, type Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { type Alert, byCodePoint, readOk, someAlerts } from './requests.ts';

const MAX_ALERTS = 40;

export const alertDetails: Rule<Target>[] = [
  {
    name: 'detail-matches-list',
    source: 'docs/fleet-api.md#alert-detail',
    async check(target) {
      const alerts = await someAlerts(target, 1, MAX_ALERTS);
      const [{ id: first }] = alerts as [Alert];
      const upper = await readOk<{ alert: Alert }>(target, `/alerts/${first.toUpperCase()}`);
      expectSame(upper.alert.id, first, 'the id for a request in upper case (RFC 9562, section 4)');
      for (const listed of alerts) {
        const { alert } = await readOk<{ alert: Alert }>(target, `/alerts/${listed.id}`);
        // The state may change between the two requests.
        const shared = Object.keys(listed).filter(
          (name) => name in alert && name !== 'state',
        ) as (keyof Alert)[];
        for (const name of shared) expectSame(alert[name], listed[name], `${name} of alert ${listed.id}`);
      }
      return `${alerts.length} alerts`;
    },
  },
  {
    name: 'timeline-order',
    source: 'docs/fleet-api.md#timeline-events',
    async check(target) {
      const alerts = await someAlerts(target, 1, MAX_ALERTS);
      let count = 0;
      for (const { id } of alerts) {
        const { timeline_events: events } = await readOk<{ timeline_events: { ts: string }[] }>(
          target,
          `/alerts/${id}/timeline`,
        );
        count += events.length;
        const times = events.map(({ ts }) => ts);
        expectSame(times, times.toSorted(byCodePoint), `timestamps of the timeline of ${id}`);
      }
      if (count === 0) throw new Skipped(`the timelines of ${alerts.length} alerts are empty`);
      return `${count} events of ${alerts.length} alerts`;
    },
  },
];
