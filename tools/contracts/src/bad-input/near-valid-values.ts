import fc, { type Arbitrary } from 'fast-check';
import { type RawDocument, resolve, type Schema } from '../document/openapi-document.ts';
import { weighted } from './weighted.ts';

interface Keywords {
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

/** Values that exist in the deployment, by the name of the field or parameter that accepts them. */
export type KnownValues = Record<string, string[]>;

/** Generates values that a schema allows, or that are just beyond one of its bounds. */
export function nearValid(
  document: RawDocument,
  reference: Schema,
  known: KnownValues = {},
): Arbitrary<unknown> {
  const schema = resolve(document, reference) as Keywords;
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), fc.constantFrom('', 'CRITICAL', 'other'));
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return nearInteger(schema);
    case 'boolean':
      return fc.oneof(fc.boolean(), fc.constantFrom('true', 'TRUE', 1, 'yes'));
    case 'array':
      return fc.array(nearValid(document, schema.items ?? {}, known), { maxLength: 3 });
    case 'object':
      return nearObject(document, schema, known);
    default:
      return nearText(schema);
  }
}

function nearInteger({ minimum = 0, maximum = 2 ** 31 }: Keywords): Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) }),
    fc.constantFrom(minimum, minimum - 1, maximum, maximum + 1, 2 ** 31 - 1, 2 ** 53),
  );
}

function nearText({ format, minLength = 0, maxLength }: Keywords): Arbitrary<string> {
  if (format === 'date-time') return nearTime;
  if (format === 'uuid') return fc.uuid();
  if (format === 'email')
    return fc.oneof(
      fc.emailAddress(),
      fc.constantFrom('a@b', 'a@b.example', '"a b"@b.example', 'a@[127.0.0.1]'),
    );
  if (format === 'uri') return fc.webUrl();
  const lengths = [
    Math.max(0, minLength - 1),
    minLength,
    ...(maxLength === undefined ? [20] : [maxLength, maxLength + 1]),
  ];
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength ?? 20, 60) }),
    fc.constantFrom(...lengths).map((length) => 'x'.repeat(length)),
    fc.constantFrom(...lengths).map((length) => '\u{1d518}'.repeat(length)),
  );
}

/** Generates RFC 3339 timestamps in all their variants, and a few invalid ones, in the years around the data. */
const nearTime: Arbitrary<string> = fc
  .tuple(
    fc.date({
      min: new Date('2020-01-01T00:00:00Z'),
      max: new Date('2030-01-01T00:00:00Z'),
      noInvalidDate: true,
    }),
    fc.constantFrom('Z', 'z', '+00:00', '-00:00', '+05:30', '-23:59', '+14:00', ''),
    fc.constantFrom('', '.1', '.123', '.123456789'),
    fc.constantFrom('T', 't', ' '),
  )
  .map(([date, zone, fraction, separator]) => {
    const text = date.toISOString();
    return `${text.slice(0, 10)}${separator}${text.slice(11, 19)}${fraction}${zone}`;
  });

/** Generates an existing value in two of three cases. */
export function existing(
  known: string[] | undefined,
  schema: Schema,
  otherwise: Arbitrary<unknown>,
): Arbitrary<unknown> {
  if (known === undefined || known.length === 0) return otherwise;
  const values = schema.type === 'integer' ? known.map(Number) : known;
  return weighted([2, fc.constantFrom(...values)], [1, otherwise]);
}

function nearObject(
  document: RawDocument,
  { properties = {}, required = [] }: Keywords,
  known: KnownValues,
): Arbitrary<object> {
  const values = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      existing(known[name], schema, nearValid(document, schema, known)),
    ]),
  );
  return weighted(
    [4, fc.record(values, { requiredKeys: required })],
    [1, fc.record(values, { requiredKeys: [] })],
  );
}
