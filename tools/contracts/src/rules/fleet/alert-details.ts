import { expectSame, expectThat, Skipped, type Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { byCodePoint, readOk, someAlerts } from './requests.ts';

const SECTIONS = [
  'container_details',
  'gpu_details',
  'memory_details',
  'node_details',
  'process_details',
  'workload_details',
];
const FIELDS = [
  'api_key_id',
  'correlated_alerts',
  'created_at',
  'customer_id',
  'description',
  'hostname',
  'id',
  'resource_details',
  'severity',
  'state',
  'summary_data',
  'title',
  'type',
  'workspace_id',
  'workspace_name',
];
/** Present only if an agent session reported the alert; otherwise omitted, not null. */
const SESSION_FIELDS = ['session_id', 'host_id'];
const EVENT_FIELDS = ['ts', 'pid', 'tid', 'event_type', 'event_info'];
const OPTIONAL_EVENT_FIELDS = ['comm', 'command_line', 'args', 'pwd'];
const MAX_ALERTS = 40;

type Section = Record<string, unknown>;

export const alertDetails: Rule<Target>[] = [
  {
    name: 'alert-detail-fields',
    source: 'docs/fleet-api.md#alert-detail',
    async check(target) {
      const details = await someDetails(target);
      for (const detail of details) {
        const own = Object.keys(detail).filter((name) => !SESSION_FIELDS.includes(name));
        expectSame(own.sort(), FIELDS, `fields of alert ${String(detail.id)}`);
        for (const name of SESSION_FIELDS)
          expectThat(
            detail[name] !== null,
            `${name} of alert ${String(detail.id)} is null instead of omitted`,
          );
      }
      const withSession = details.filter((detail) => 'session_id' in detail).length;
      return `${details.length} alerts, ${withSession} with a session`;
    },
  },
  {
    name: 'resource-detail-sections',
    source: 'docs/fleet-api.md#alert-detail',
    async check(target) {
      const details = await someDetails(target);
      for (const { id, resource_details } of details as { id: string; resource_details: Section }[]) {
        expectSame(Object.keys(resource_details).sort(), SECTIONS, `sections of alert ${id}`);
        for (const [name, section] of Object.entries(resource_details)) {
          const isObject = typeof section === 'object' && !Array.isArray(section);
          expectThat(
            isObject && (section !== null || name !== 'node_details'),
            `${name} of alert ${id} is ${JSON.stringify(section)}`,
          );
        }
        expectStrings(resource_details.node_details as Section, `node_details of alert ${id}`, []);
        const gpu = resource_details.gpu_details as Section | null;
        if (gpu) expectStrings(gpu, `gpu_details of alert ${id}`, ['utilization_data', 'temperature_chart']);
      }
      return `${details.length} alerts, node_details is an object, readings are strings`;
    },
  },
  {
    name: 'detail-matches-list',
    source: 'docs/fleet-api.md#alert-detail',
    async check(target) {
      const [listed] = await someAlerts(target, 1, 1);
      const { alert } = await readOk<{ alert: Section }>(target, `/alerts/${listed!.id}`);
      const upper = await readOk<{ alert: Section }>(target, `/alerts/${listed!.id.toUpperCase()}`);
      expectSame(upper.alert.id, listed!.id, 'the id for a request in upper case (RFC 9562, section 4)');
      for (const name of [
        'id',
        'title',
        'description',
        'type',
        'severity',
        'created_at',
        'hostname',
        'workspace_id',
        'api_key_id',
      ])
        expectSame(alert[name], (listed as unknown as Section)[name], `${name} of the detail`);
      return 'nine fields are the same';
    },
  },
  {
    name: 'timeline-order-and-fields',
    source: 'docs/fleet-api.md#timeline-events',
    async check(target) {
      const alerts = await someAlerts(target, 1, MAX_ALERTS);
      let count = 0;
      for (const { id } of alerts) {
        const { timeline_events: events } = await readOk<{ timeline_events: Section[] }>(
          target,
          `/alerts/${id}/timeline`,
        );
        count += events.length;
        const times = events.map(({ ts }) => String(ts));
        expectSame(times, times.toSorted(byCodePoint), `timestamps of the timeline of ${id}`);
        for (const event of events) {
          const unknown = Object.keys(event).find(
            (name) => ![...EVENT_FIELDS, ...OPTIONAL_EVENT_FIELDS].includes(name),
          );
          expectThat(unknown === undefined, `an event of ${id} has ${unknown}`);
          for (const name of EVENT_FIELDS) expectThat(event[name] != null, `an event of ${id} lacks ${name}`);
          for (const name of OPTIONAL_EVENT_FIELDS)
            expectThat(event[name] !== null, `${name} of an event of ${id} is null instead of omitted`);
        }
      }
      if (count === 0) throw new Skipped(`the timelines of ${alerts.length} alerts are empty`);
      return `${count} events of ${alerts.length} alerts`;
    },
  },
];

async function someDetails(target: Target): Promise<Section[]> {
  const details = [];
  for (const { id } of await someAlerts(target, 1, MAX_ALERTS))
    details.push((await readOk<{ alert: Section }>(target, `/alerts/${id}`)).alert);
  return details;
}

function expectStrings(section: Section, what: string, arrays: string[]): void {
  for (const [name, value] of Object.entries(section)) {
    expectThat(
      arrays.includes(name) ? Array.isArray(value) : typeof value === 'string',
      `${name} of ${what} is ${JSON.stringify(value)}`,
    );
  }
}
