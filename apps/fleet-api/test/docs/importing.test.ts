import { readFileSync } from 'node:fs';
import { DCGM_FIELDS } from '../../src/imports/dcgm/dcgm-fields.ts';
import { RECORD_KINDS } from '../../src/imports/records/record-schemas.ts';
import { createFleetDatabase } from '../support/fleet-database.ts';
import { importRecords } from '../support/import-records.ts';

const page = readFileSync(new URL('../../../../docs/importing.md', import.meta.url), 'utf8');

test('the fields of DCGM on the page are those of the code', () => {
  const rows = [...page.matchAll(/^\| (\d+) +\| (.+?) +\| .+ \|$/gm)].map(([, number, names]) => ({
    number: Number(number),
    names: [...(names as string).matchAll(/`(\w+)`/g)].map(([, name]) => name),
  }));
  expect(rows).toEqual(DCGM_FIELDS.map(({ number, names }) => ({ number, names })));
});

test('every kind is on the page, and no other', () => {
  const kinds = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, kind]) => kind);
  expect(kinds.sort()).toEqual([...RECORD_KINDS].sort());
});

test('the example records are taken as they stand, and are known when they come again', async () => {
  // But for their day, which would one day be older than what is kept.
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const examples = (/```json\n([^]+?)```/.exec(page)?.[1] ?? '')
    .replaceAll('2026-11-20', yesterday)
    .trim()
    .split('\n')
    .map((line) => ({ customer_id: 1, workspace_id: 2, ...(JSON.parse(line) as object) }));
  const database = await createFleetDatabase();
  try {
    expect(await importRecords(database.importerUrl, examples)).toMatchObject({
      written: 8,
      known: 0,
      rejects: [],
    });
    const { written, rejects } = await importRecords(database.importerUrl, examples);
    expect([written, rejects]).toEqual([0, []]);
  } finally {
    await database.drop();
  }
});
