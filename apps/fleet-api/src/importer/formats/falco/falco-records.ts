import { END_OF_9999_MS, parseTimestamp, type ProcessDetails } from '@gpu-observatory/domain-types';
import type { LogEntry } from '../../run/log-entry.ts';
import { clip } from '../../records/clip.ts';
import { NAME_LENGTH, TEXT_LENGTH } from '../../records/limits.ts';
import { nameUuid } from '../../records/name-uuid.ts';
import type { FalcoEvent } from './falco-event.ts';
import type { FalcoRules } from './falco-rules.ts';

export interface FalcoOptions {
  customerId: number;
  /** Host of all events; null: the host of the event. */
  host: string | null;
  rules: FalcoRules;
}

/** The two records of a Falco event. They are not validated yet. */
export interface FalcoRecords {
  alert: object;
  timelineEvent: object;
}

/** Kubernetes node and host of the log entry of an event; null when it has none. */
type EntryHost = Pick<LogEntry, 'node' | 'host'>;

/**
 * Converts a Falco event to an alert and its timeline event.
 *
 * @returns a fault when the priority is unknown, or when the rule table maps the event to no alert
 */
export function falcoRecords(
  event: FalcoEvent,
  entryHost: EntryHost,
  { customerId, host, rules }: FalcoOptions,
): FalcoRecords | { fault: string } {
  const verdict = rules.classify(event);
  if ('fault' in verdict) return verdict;
  const { fields } = event;
  const id = alertIdOf(event, customerId);
  const kubernetes = section(fields, 'k8s.', 'k8smeta.');
  return {
    alert: {
      kind: 'alert',
      id,
      title: clip(event.rule, NAME_LENGTH),
      description: clip(event.output || fieldsText(Object.entries(fields)), TEXT_LENGTH),
      ...verdict,
      created_at: event.time,
      hostname: host ?? hostOf(event, entryHost),
      resource_details: {
        process_details: processDetails(event),
        container_details: fields['container.id'] === 'host' ? null : section(fields, 'container.'),
        workload_details: kubernetes ?? section(fields, 'ka.'),
      },
    },
    timelineEvent: timelineEvent(event, id, eventInfo(event, kubernetes === null)),
  };
}

/** Derives the id from the event, so that the same event is the same alert whenever it is imported. */
function alertIdOf(event: FalcoEvent, customerId: number): string {
  const fields = Object.entries(event.fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return nameUuid('falco', customerId, Object.values({ ...event, fields }));
}

function timelineEvent({ time, fields, source }: FalcoEvent, alertId: string, info: string): object {
  const pid = integerOf(fields['proc.pid']);
  const command = textOf(fields['proc.cmdline']);
  const name = textOf(fields['proc.name']);
  const directory = textOf(fields['proc.cwd']);
  return {
    kind: 'timeline_event',
    alert_id: alertId,
    ts: time,
    pid: pid ?? 0,
    tid: integerOf(fields['thread.tid']) ?? pid ?? 0,
    event_type: clip(textOf(fields['evt.type']) ?? (source || 'falco'), NAME_LENGTH),
    event_info: clip(info, TEXT_LENGTH),
    ...(name === undefined ? {} : { comm: clip(name, NAME_LENGTH) }),
    ...(command === undefined ? {} : { command_line: clip(command, TEXT_LENGTH) }),
    ...(directory === undefined ? {} : { pwd: clip(directory, TEXT_LENGTH) }),
  };
}

/** Returns the node if it is known: in a pod without FALCO_HOSTNAME, the host name of Falco is that of the pod. */
function hostOf({ fields, hostname }: FalcoEvent, { node, host }: EntryHost): string | null {
  return textOf(fields['k8s.node.name']) ?? node ?? hostname ?? host;
}

/** Fields that are stored in a section of the alert or in a field of the timeline event, and the time of the event. */
const FIELDS_ELSEWHERE =
  /^(?:container\.|k8s\.|k8smeta\.|j?evt\.time|evt\.type$|evt\.hostname$|proc\.(?:cmdline|cwd|exepath|name|pid|pid\.ts|ppid)$|thread\.tid$)/;

/**
 * Returns the output of an event, followed by the fields that are not stored elsewhere.
 *
 * @param hasAuditWorkload whether the workload of the alert comes from the audit log of Kubernetes (`ka.`)
 */
function eventInfo({ output, rule, fields }: FalcoEvent, hasAuditWorkload: boolean): string {
  const others = Object.entries(fields).filter(
    ([name]) => !FIELDS_ELSEWHERE.test(name) && !(hasAuditWorkload && name.startsWith('ka.')),
  );
  const text = fieldsText(others);
  return text === '' ? output || rule : `${output || rule} (${text})`;
}

function fieldsText(fields: [name: string, value: unknown][]): string {
  return fields
    .filter(
      ([name, value]) => value !== null && value !== '' && value !== '<NA>' && !/^j?evt\.time/.test(name),
    )
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' ');
}

/**
 * Returns the process, null if the event has none. The API requires all fields: unknown texts are empty, unknown numbers are 0, and
 * an unknown start is the time of the event.
 */
function processDetails({ fields, time }: FalcoEvent): ProcessDetails | null {
  const name = textOf(fields['proc.name']);
  const command = textOf(fields['proc.cmdline']);
  const pid = integerOf(fields['proc.pid']);
  if (name === undefined && command === undefined && pid === undefined) return null;
  return {
    title: clip(textOf(fields['proc.exepath']) ?? name ?? '', TEXT_LENGTH),
    process_name: clip(name ?? '', TEXT_LENGTH),
    pid: pid ?? 0,
    start_time: instantOf(fields['proc.pid.ts']) ?? parseTimestamp(time)?.toISOString() ?? time,
    current_status: '',
    last_modified: '',
    parent_process_pid: integerOf(fields['proc.ppid']) ?? 0,
    command_line: clip(command ?? '', TEXT_LENGTH),
  };
}

/**
 * Returns the fields with one of the prefixes, or null without any. Their names lose the prefix and have underscores. Of equal
 * names, that with the first prefix has precedence.
 */
function section(fields: FalcoEvent['fields'], ...prefixes: string[]): Record<string, unknown> | null {
  const entries: [name: string, value: unknown][] = [];
  // In reverse, because `fromEntries` uses the last of equal names.
  for (const prefix of prefixes.toReversed())
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (name.startsWith(prefix) && value !== null && value !== '<NA>')
        entries.push([nameInSection(name, prefix), value]);
    }
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function nameInSection(name: string, prefix: string): string {
  return name.slice(prefix.length).replace(/\W+/g, '_').replace(/_$/, '');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== '<NA>' ? value : undefined;
}

function integerOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffffffff
    ? value
    : undefined;
}

/** Formats nanoseconds since the epoch as RFC 3339; undefined if the value is not such a time. */
function instantOf(value: unknown): string | undefined {
  return typeof value === 'number' && value > 0 && value <= END_OF_9999_MS * 1e6
    ? new Date(value / 1e6).toISOString()
    : undefined;
}
