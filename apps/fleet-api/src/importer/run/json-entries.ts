import { timeText } from './time-text.ts';

/** A value found in a JSON log entry, with time, node and host from the innermost enclosing object that has them; else null. */
export interface JsonEntry {
  value: unknown;
  /** Text with a clock, or seconds since boot in brackets, as in a line of dmesg. */
  time: string | null;
  /** Kubernetes node. */
  node: string | null;
  host: string | null;
}

/**
 * Fields with the time, the node and the host, in order of precedence. Names are compared in lower case and without punctuation
 * around them: `@timestamp` is `timestamp`, `_HOSTNAME` is `hostname`. A dot separates the names of nested objects, or is part of
 * one flattened name.
 */
const FIELDS = {
  time: [
    'source_realtime_timestamp', // journald
    'realtime_timestamp', // journald
    'timestamp', // Vector, Cloud Logging, Filebeat, Logstash
    'ts', // health agent of HyperPod
    'time', // Docker and CRI
    'date', // Fluent Bit
    'timeunixnano', // OpenTelemetry
    'sec', // Fluent Bit's kmsg, without a date
    'lasttimestamp', // events of Kubernetes
  ],
  node: [
    'kubernetes.host', // Fluent Bit
    'kubernetes.node.name', // Filebeat
    'kubernetes.pod_node_name', // Vector
    'resource.labels.node_name', // Cloud Logging of a node
    'labels.compute.googleapis.com/resource_name', // Cloud Logging of a container or a VM
    'labels.node_name', // Loki
    'resource.attributes.k8s.node.name', // OpenTelemetry
  ],
  host: [
    'hostname', // journald, Vector's syslog source
    'host.hostname', // Filebeat
    'host.name', // Logstash
    'host', // Vector's other sources
    'labels.hostname', // Loki
    'labels.host', // Loki
    'resource.attributes.host.name', // OpenTelemetry
    'source.host', // events of Kubernetes
  ],
};
const MAX_DEPTH = 10;

/**
 * Finds the sought values in a log entry of any collector. In an object, only the first field with such values is used, because
 * collectors repeat the message. In a list, each element is an entry.
 *
 * @param isSought returns whether the adapter reads the value
 */
export function findInJson(
  json: unknown,
  isSought: (value: unknown) => boolean,
  depth = MAX_DEPTH,
): JsonEntry[] {
  const value = textOfBytes(json) ?? json;
  // The adapter itself reads time and host of the value, but not its node.
  if (isSought(value)) return [{ value, time: null, node: nodeOf(value), host: null }];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  if (Array.isArray(value)) return value.flatMap((element) => findInJson(element, isSought, depth - 1));
  for (const field of Object.values(value)) {
    const found = findInJson(field, isSought, depth - 1);
    if (found.length > 0) return found.map((entry) => withFields(entry, value));
  }
  return [];
}

/** Adds the fields of an object that encloses an entry, unless an inner object has them. */
function withFields({ value, time, node, host }: JsonEntry, enclosing: object): JsonEntry {
  const fields = normalizedFields(enclosing);
  return {
    value,
    time: time ?? firstField(fields, FIELDS.time, timeText),
    node: node ?? firstField(fields, FIELDS.node, nonEmpty),
    host: host ?? firstField(fields, FIELDS.host, nonEmpty),
  };
}

/** Returns the node that a sought object contains, or null. */
function nodeOf(value: unknown): string | null {
  return typeof value === 'object' && value !== null
    ? firstField(normalizedFields(value), FIELDS.node, nonEmpty)
    : null;
}

/** An attribute of OpenTelemetry's protocol (https://opentelemetry.io/docs/specs/otlp/). */
interface OtlpAttribute {
  key: string;
  value: { stringValue?: string };
}

/** A field with its name normalized as in `FIELDS`. */
type Field = [name: string, value: unknown];

/** Returns the fields of an object, or of a list of OpenTelemetry attributes. */
function normalizedFields(object: object): Field[] {
  if (Array.isArray(object))
    return (object as Partial<OtlpAttribute>[]).map((element) => [
      element?.key ?? '',
      element?.value?.stringValue,
    ]);
  return Object.entries(object).map(([key, value]) => [key.toLowerCase().replace(/^[_@]+|\W+$/g, ''), value]);
}

/** Returns the first field at one of the paths for which `read` returns a text, or null. */
function firstField(
  fields: Field[],
  paths: string[],
  read: (value: unknown) => string | null,
): string | null {
  for (const path of paths) {
    const text = read(valueAt(fields, path));
    if (text !== null) return text;
  }
  return null;
}

/**
 * Returns the value at a path. The path may also be the name of one field (`host.name`). Only the first object that matches the
 * start of the path is searched.
 */
function valueAt(fields: Field[], path: string): unknown {
  for (const [name, value] of fields) {
    if (name === path) return value;
    if (typeof value === 'object' && value !== null && path.startsWith(`${name}.`))
      return valueAt(normalizedFields(value), path.slice(name.length + 1));
  }
  return undefined;
}

function nonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns the text of a list of bytes, which journald writes for messages that are not printable; null for other values. */
function textOfBytes(value: unknown): string | null {
  const isBytes = Array.isArray(value) && value.length > 0 && value.every(isByte);
  return isBytes ? Buffer.from(value as number[]).toString() : null;
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xff;
}
