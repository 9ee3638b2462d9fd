import { expectSame, expectStatus, expectThat, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { type Alert, API, byCodePoint, readOk, type Schemas, someAlerts } from './requests.ts';

const MAX_ALERTS = 40;
/** Fields that the detail carries in `gpu_details`. */
const ONLY_LISTED = ['gpu_model', 'gpu_serial'];
type Detail = Schemas['AlertDetailResponse'];
type Shared = keyof Alert & keyof Detail['alert'];

export const alertDetails: Rule[] = [
  rule('detail-matches-list', 'docs/fleet-api.md#alert-detail', async (target) => {
    const alerts = await someAlerts(target, 1, MAX_ALERTS);
    const [{ id: first }] = alerts as [Alert];
    const upper = await readOk(target, `/alerts/${first.toUpperCase()}`);
    expectSame(upper.alert.id, first, 'the id for a request in upper case (RFC 9562, section 4)');
    for (const listed of alerts) {
      const { alert } = await readOk(target, `/alerts/${listed.id}`);
      const shared = Object.keys(listed).filter((name) => !ONLY_LISTED.includes(name)) as Shared[];
      for (const name of shared) {
        expectThat(name in alert, `the detail of alert ${listed.id} lacks ${name}`);
        // The state may change between the two requests.
        if (name !== 'state') expectSame(alert[name], listed[name], `${name} of alert ${listed.id}`);
      }
    }
    return `${alerts.length} alerts`;
  }),
  rule('timeline-order', 'docs/fleet-api.md#timeline-events', async (target) => {
    const alerts = await someAlerts(target, 1, MAX_ALERTS);
    let count = 0;
    for (const { id } of alerts) {
      const response = await target.read(`${API}/alerts/${id}/timeline`);
      const { timeline_events: events } = expectStatus<Schemas['TimelineResponse']>(response, 200);
      if (events.length > 1) count += events.length;
      const times = events.map(({ ts }) => ts);
      expectSame(times, times.toSorted(byCodePoint), `timestamps of the timeline of ${id}`);
    }
    if (count === 0) throw new Skipped(`no timeline of ${alerts.length} alerts has two events`);
    return `${count} events of ${alerts.length} alerts`;
  }),
];
