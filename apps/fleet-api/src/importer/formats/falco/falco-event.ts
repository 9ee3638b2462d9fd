import { parseTimestamp } from '@gpu-observatory/domain-types';

/**
 * Fields of a line of Falco's `json_output` (https://falco.org/docs/outputs/formatting/). All of them together identify the
 * event.
 */
export interface FalcoEvent {
  rule: string;
  priority: string;
  /** RFC 3339 with nanoseconds. */
  time: string;
  /** Empty if Falco is configured to omit it. */
  output: string;
  source: string;
  tags: string[];
  hostname: string | null;
  fields: Record<string, unknown>;
}

/** Other sensors whose events are mistaken for Falco's, with a field name that only their events have. */
const OTHER_SENSORS = [
  {
    name: 'Tetragon',
    field: /^process_(exec|exit|kprobe|tracepoint|uprobe|lsm|loader|connect|close|listen|accept|dns)$/,
  },
  { name: 'Tracee', field: /^(eventName|matchedPolicies|workload)$/ },
];

/**
 * Parses a Falco event.
 *
 * @param entryTime time of the log entry, used when the event has none: Cloud Logging moves the time out of the event
 */
export function readFalcoEvent(value: unknown, entryTime?: string): FalcoEvent | { fault: string } {
  if (!isObject(value) || Array.isArray(value)) return { fault: 'not a JSON object' };
  const { rule, priority, time = entryTime, output, source, tags, hostname } = value;
  // A Falco event always has a rule. Without one, the event may be of another sensor.
  const sensor = rule === undefined ? otherSensor(value) : undefined;
  if (sensor !== undefined)
    return { fault: `not a Falco alert: an event of ${sensor}, which has no rule and no priority` };
  if (!isNonEmptyString(rule)) return invalidField('rule', rule);
  if (!isNonEmptyString(priority)) return invalidField('priority', priority);
  if (!isNonEmptyString(time)) return invalidField('time', time);
  if (parseTimestamp(time) === null)
    return { fault: 'time must be an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z' };
  const fields = isObject(value.output_fields) ? value.output_fields : {};
  // The host is an output field too if the output of the rule contains it.
  const host = hostname ?? fields['evt.hostname'];
  return {
    rule,
    priority,
    time,
    output: typeof output === 'string' ? output : '',
    source: typeof source === 'string' ? source : '',
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    hostname: isNonEmptyString(host) ? host : null,
    fields,
  };
}

/** Returns the name of another sensor that an event comes from. */
function otherSensor(event: object): string | undefined {
  return OTHER_SENSORS.find(({ field }) => Object.keys(event).some((name) => field.test(name)))?.name;
}

function invalidField(name: string, value: unknown): { fault: string } {
  return {
    fault: `not a Falco alert: ${name} ${value === undefined ? 'is missing' : 'must be a non-empty string'}`,
  };
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
