import { committedSnapshot } from '@gpu-observatory/testing';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { publishedSchema } from '../../src/importer/records/published-schema.ts';
import { RECORD_KINDS } from '../../src/importer/records/record-schemas.ts';
import { readPage } from '../support/documentation.ts';

const ajv = new Ajv({ allowUnionTypes: true });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);
const validate = ajv.compile(publishedSchema());
const examples = (/```ndjson\n(.*?)```/s.exec(readPage('importing.md'))?.[1]?.trimEnd() ?? '')
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, unknown>);

test('docs/import-records.schema.json is the schema of the importer', () => {
  const file = new URL('../../../../docs/import-records.schema.json', import.meta.url);
  const actual = `${JSON.stringify(publishedSchema(), null, 2)}\n`;
  expect(actual).toBe(committedSnapshot(file, actual));
});

test.each(RECORD_KINDS)(
  '%s: the page’s example is valid, one with a field too many or too few is not',
  (kind) => {
    const example = examples.find((one) => one.kind === kind) ?? {};
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ ...example, unheard_of: 1 })).toBe(false);
    const { kind: _kind, ...without } = example;
    expect(validate(without)).toBe(false);
    expect(validate({ kind })).toBe(false);
  },
);

test('rejects an unknown kind, and a bare PCIe address as GPU id', () => {
  expect(validate({ kind: 'unheard of' })).toBe(false);
  const gpu = examples.find(({ kind }) => kind === 'gpu');
  expect(validate({ ...gpu, gpu_id: '00000000:3B:00.0' })).toBe(false);
  expect(validate({ ...gpu, gpu_id: 'node-1|00000000:3B:00.0|' })).toBe(true);
});
