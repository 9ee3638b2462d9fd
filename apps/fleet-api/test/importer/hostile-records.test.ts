import fc from 'fast-check';
import { publishedSchema } from '../../src/importer/records/published-schema.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';
import { importRecords } from '../support/import-records.ts';
import { uuid } from '../support/records.ts';

const database = useFleetDatabase();

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '\\N',
    '\\.',
    'a\tb\r\nc\\',
    '\0',
    '\ud800',
    '😀'.repeat(250),
    'NULL',
    '{}',
    "'; --",
    'x'.repeat(255),
  ),
);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1e-50, 5e-324, 1e9, 1e300, 2 ** 53 - 1, 2 ** 31, 100, 32_767, 65_536),
);
const time = fc.oneof(
  fc
    .date({
      noInvalidDate: true,
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
    })
    .map((date) => date.toISOString()),
  fc.integer({ min: -14 * 31, max: 1 }).map((days) => new Date(Date.now() + days * 86_400_000).toISOString()),
  fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:60Z', '2026-11-21T00:00:00+23:59', 'now'),
);
const gpuId = fc.oneof(
  fc.constantFrom('GPU-1', 'GPU-2', 'host|pci|', 'x'.repeat(1_000), 'ü'.repeat(500)),
  text,
);
const id = fc.oneof(
  fc.integer({ min: 1, max: 4 }).map(uuid),
  fc.constantFrom(uuid(3).toUpperCase(), `urn:uuid:${uuid(1)}`, 'x'),
);
const details = fc.dictionary(text, fc.jsonValue({ maxDepth: 40 }) as fc.Arbitrary<unknown>, { maxKeys: 3 });

interface FieldSchema {
  const?: string;
  enum?: string[];
  format?: string;
  items?: FieldSchema;
  maximum?: number;
  minimum?: number;
  minItems?: number;
  type?: string | string[];
}

const BY_NAME: Record<string, fc.Arbitrary<unknown>> = {
  customer_id: fc.constantFrom(1, 2, 2_147_483_647),
  workspace_id: fc.constantFrom(1, null),
  gpu_id: gpuId,
  resource_details: fc.record(
    { memory_details: details, gpu_details: details, node_details: details },
    { requiredKeys: [] },
  ),
};
const BY_FORMAT: Record<string, fc.Arbitrary<unknown>> = {
  uuid: id,
  'date-time': time,
  date: time.map((at) => at.slice(0, 10)),
};

/** Values that look right, mostly within the range of a number. */
function valueOf(name: string, field: FieldSchema, isInRange = false): fc.Arbitrary<unknown> {
  const known = BY_NAME[name] ?? BY_FORMAT[field.format ?? ''];
  if (known !== undefined) return known;
  if (field.const !== undefined) return fc.constant(field.const);
  if (field.enum !== undefined) return fc.constantFrom(...field.enum);
  const { items, minItems, minimum = 0, maximum = 100 } = field;
  if (items !== undefined) {
    const listOf = (isValid: boolean) =>
      fc.array(valueOf('', items, isValid), { minLength: minItems ?? 0, maxLength: minItems ?? 3 });
    return fc.oneof({ weight: 9, arbitrary: listOf(true) }, { weight: 1, arbitrary: listOf(false) });
  }
  const types = [field.type].flat();
  const inRange = fc.integer({ min: Math.ceil(minimum), max: Math.min(maximum, minimum + 5) });
  const numbers = fc.oneof(
    { weight: isInRange ? 0 : 1, arbitrary: number },
    { weight: 3, arbitrary: inRange },
  );
  const value: fc.Arbitrary<unknown> = types.includes('string')
    ? text
    : types.includes('boolean')
      ? fc.boolean()
      : numbers;
  return types.includes('null') ? fc.option(value) : value;
}

/** Records of all kinds that look right, with anything in their fields. */
const { definitions } = publishedSchema() as {
  definitions: Record<string, { required: string[]; properties: Record<string, FieldSchema> }>;
};
const record = fc.oneof(
  ...Object.values(definitions).map(({ required, properties }) =>
    fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueOf(name, field)])),
      { requiredKeys: ['customer_id', ...required] },
    ),
  ),
);

test('writes, rejects or counts any record as duplicate without affecting others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 9, arbitrary: record }, { weight: 1, arbitrary: fc.jsonValue() }), {
        minLength: 1,
        maxLength: 120,
      }),
      async (records) => {
        const lines = records.map((one) => JSON.stringify(one));
        const { written, duplicate, rejected, rejects } = await importRecords(
          database.importerUrl,
          lines.join('\n'),
        );
        expect(written + duplicate + rejected).toBe(lines.length);
        expect(rejects.map(({ line, text: of }) => lines[line - 1] === of)).toEqual(rejects.map(() => true));
        expect(rejects.filter(({ reason }) => reason === '')).toEqual([]);
      },
    ),
    { numRuns: 40 },
  );
});
