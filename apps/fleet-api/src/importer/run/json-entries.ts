import { timeText } from './time-text.ts';

/** A value within a JSON log entry, with the time and the host of the objects around it; the innermost ones are used. */
export interface JsonEntry {
  value: unknown;
  /** Text with a clock, or seconds since boot in brackets, as in a line of dmesg. */
  time: string | null;
  /** Kubernetes node. */
  node: string | null;
  host: string | null;
}

/**
 * Fields with the time, the node and the host, by precedence. Names are compared in lower case and without punctuation around
 * them: `@timestamp` is `timestamp`, `_HOSTNAME` is `hostname`. A path has dots.
 */
const FIELDS = {
  time: [
    // journald
    'source_realtime_timestamp',
    'realtime_timestamp',
    // Vector, Cloud Logging, Filebeat, Logstash
    'timestamp',
    // The health agent of HyperPod, Docker and CRI, Fluent Bit, OpenTelemetry, Fluent Bit's kmsg without its date
    'ts',
    'time',
    'date',
    'timeunixnano',
    'sec',
    // Events of Kubernetes
    'lasttimestamp',
  ],
  node: [
    // Fluent Bit, Filebeat, Vector
    'kubernetes.host',
    'kubernetes.node.name',
    'kubernetes.pod_node_name',
    // Cloud Logging of a node, and of a container or a VM
    'resource.labels.node_name',
    'labels.compute.googleapis.com/resource_name',
    // Loki, OpenTelemetry
    'labels.node_name',
    'resource.attributes.k8s.node.name',
  ],
  host: [
    // journald and Vector's syslog source, Filebeat, Logstash, Vector's other sources
    'hostname',
    'host.hostname',
    'host.name',
    'host',
    // Loki, OpenTelemetry
    'labels.hostname',
    'labels.host',
    'resource.attributes.host.name',
    // Events of Kubernetes
    'source.host',
  ],
};
const MAX_DEPTH = 10;

/**
 * Finds values within a log entry of any collector. Of the fields of an object the first with such a value counts, because
 * collectors repeat the message; each element of a list is an entry of its own.
 */
export function findInJson(
  json: unknown,
  isSought: (value: unknown) => boolean,
  depth = MAX_DEPTH,
): JsonEntry[] {
  const value = textOfBytes(json) ?? json;
  if (isSought(value)) return [{ value, time: null, node: nodeOf(value), host: null }];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((element) => findInJson(element, isSought, depth - 1));
  for (const field of Object.values(value)) {
    const found = findInJson(field, isSought, depth - 1);
    if (found.length > 0) return found.map((entry) => withFields(entry, value));
  }
  return [];
}

/** Adds the fields of an object around an entry, unless an inner object has them. */
function withFields({ value, time, node, host }: JsonEntry, around: object): JsonEntry {
  const fields = namedFields(around);
  return {
    value,
    time: time ?? firstField(fields, FIELDS.time, timeText),
    node: node ?? firstField(fields, FIELDS.node, nonEmpty),
    host: host ?? firstField(fields, FIELDS.host, nonEmpty),
  };
}

function nodeOf(value: unknown): string | null {
  return typeof value === 'object' && value !== null
    ? firstField(namedFields(value), FIELDS.node, nonEmpty)
    : null;
}

/** An attribute of OpenTelemetry's protocol (https://opentelemetry.io/docs/specs/otlp/). */
interface OtlpAttribute {
  key: string;
  value: { stringValue?: string };
}

/** Fields of an object, their names as in `FIELDS`. */
type NamedFields = [name: string, value: unknown][];

/** Returns the fields of an object, or the attributes of OpenTelemetry in a list. */
function namedFields(object: object): NamedFields {
  if (Array.isArray(object))
    return (object as Partial<OtlpAttribute>[]).map((element) => [
      element?.key ?? '',
      element?.value?.stringValue,
    ]);
  return Object.entries(object).map(([key, value]) => [key.toLowerCase().replace(/^[_@]+|\W+$/g, ''), value]);
}

/** Returns the first of the fields at these paths that `read` accepts. */
function firstField(
  fields: NamedFields,
  paths: string[],
  read: (value: unknown) => string | null,
): string | null {
  for (const path of paths) {
    const text = read(valueAt(fields, path));
    if (text !== null) return text;
  }
  return null;
}

/** Returns the value at a path, which may also be one name. */
function valueAt(fields: NamedFields, path: string): unknown {
  for (const [name, value] of fields) {
    if (name === path) return value;
    if (typeof value === 'object' && value !== null && path.startsWith(`${name}.`))
      return valueAt(namedFields(value), path.slice(name.length + 1));
  }
  return undefined;
}

function nonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the text of a list of bytes, which the journal has for messages that are not printable. */
function textOfBytes(value: unknown): string | null {
  const isBytes = Array.isArray(value) && value.length > 0 && value.every(isByte);
  return isBytes ? Buffer.from(value as number[]).toString() : null;
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xff;
}
