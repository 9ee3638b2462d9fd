import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { byCodePoint, readOk, someAlerts } from './fleet-words.ts';

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
/** There when an agent session saw the alert; otherwise left out, not null. */
const SESSION_FIELDS = ['session_id', 'host_id'];
const EVENT_FIELDS = ['ts', 'pid', 'tid', 'event_type', 'event_info'];
const OPTIONAL_EVENT_FIELDS = ['comm', 'command_line', 'args', 'pwd'];
const MOST_ALERTS = 40;

type Section = Record<string, unknown>;

export const alertDetails: Rule<Subject>[] = [
  {
    name: 'detail-is-flat-with-its-fields',
    source: 'contract 2.3',
    async hold(subject) {
      const details = await someDetails(subject);
      for (const detail of details) {
        const own = Object.keys(detail).filter((name) => !SESSION_FIELDS.includes(name));
        expectSame(own.sort(), FIELDS, `fields of alert ${String(detail.id)}`);
        for (const name of SESSION_FIELDS)
          expectThat(detail[name] !== null, `${name} of alert ${String(detail.id)} is null, not left out`);
      }
      const withSession = details.filter((detail) => 'session_id' in detail).length;
      return `${details.length} alerts, ${withSession} with a session`;
    },
  },
  {
    name: 'six-resource-details',
    source: 'contract 2.3',
    async hold(subject) {
      const details = await someDetails(subject);
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
      return `${details.length} alerts, node_details always an object, readings as strings`;
    },
  },
  {
    name: 'detail-agrees-with-list',
    source: 'contract 2.3',
    async hold(subject) {
      const [listed] = await someAlerts(subject, 1, 1);
      const { alert } = await readOk<{ alert: Section }>(subject, `/alerts/${listed!.id}`);
      const upper = await readOk<{ alert: Section }>(subject, `/alerts/${listed!.id.toUpperCase()}`);
      expectSame(upper.alert.id, listed!.id, 'the id asked for in capitals (RFC 9562, section 4)');
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
      return 'the same nine fields';
    },
  },
  {
    name: 'timeline-in-order-without-nulls',
    source: 'contract 2.4',
    async hold(subject) {
      const alerts = await someAlerts(subject, 1, MOST_ALERTS);
      let count = 0;
      for (const { id } of alerts) {
        const { timeline_events: events } = await readOk<{ timeline_events: Section[] }>(
          subject,
          `/alerts/${id}/timeline`,
        );
        count += events.length;
        const times = events.map(({ ts }) => String(ts));
        expectSame(times, times.toSorted(byCodePoint), `times of the timeline of ${id}`);
        for (const event of events) {
          const unknown = Object.keys(event).find(
            (name) => ![...EVENT_FIELDS, ...OPTIONAL_EVENT_FIELDS].includes(name),
          );
          expectThat(unknown === undefined, `an event of ${id} has ${unknown}`);
          for (const name of EVENT_FIELDS) expectThat(event[name] != null, `an event of ${id} lacks ${name}`);
          for (const name of OPTIONAL_EVENT_FIELDS)
            expectThat(event[name] !== null, `${name} of an event of ${id} is null, not left out`);
        }
      }
      if (count === 0) throw new NotSeen(`the timelines of ${alerts.length} alerts are empty`);
      return `${count} events of ${alerts.length} alerts`;
    },
  },
];

async function someDetails(subject: Subject): Promise<Section[]> {
  const details = [];
  for (const { id } of await someAlerts(subject, 1, MOST_ALERTS))
    details.push((await readOk<{ alert: Section }>(subject, `/alerts/${id}`)).alert);
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
