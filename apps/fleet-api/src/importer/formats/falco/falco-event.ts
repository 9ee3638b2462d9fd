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

/** Sensors with similar events, by a field that only theirs have. */
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
 * @param otherTime time from around the event: Cloud Logging takes it out of the event
 */
export function readFalcoEvent(
  value: unknown,
  otherTime: string | null = null,
): FalcoEvent | { fault: string } {
  if (!isObject(value) || Array.isArray(value)) return { fault: 'not a JSON object' };
  const { rule, priority, time = otherTime ?? undefined, output, source, tags, hostname } = value;
  const sensor = rule === undefined ? otherSensor(value) : undefined;
  if (sensor !== undefined)
    return { fault: `not a Falco alert: an event of ${sensor}, which has no rule and no priority` };
  for (const [name, text] of Object.entries({ rule, priority, time })) {
    if (typeof text !== 'string' || text === '')
      return {
        fault: `not a Falco alert: ${name} ${text === undefined ? 'is missing' : 'must be a non-empty string'}`,
      };
  }
  if (parseTimestamp(time as string) === null)
    return { fault: 'time must be an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z' };
  const fields = isObject(value.output_fields) ? value.output_fields : {};
  const host = hostname ?? fields['evt.hostname'];
  return {
    rule: rule as string,
    priority: priority as string,
    time: time as string,
    output: typeof output === 'string' ? output : '',
    source: typeof source === 'string' ? source : '',
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    hostname: typeof host === 'string' && host !== '' ? host : null,
    fields,
  };
}

/** Returns the sensor whose field an event has. */
function otherSensor(event: object): string | undefined {
  return OTHER_SENSORS.find(({ field }) => Object.keys(event).some((name) => field.test(name)))?.name;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
