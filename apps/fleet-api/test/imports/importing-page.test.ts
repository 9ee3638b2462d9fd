import { DCGM_FIELDS } from '../../src/imports/dcgm/dcgm-fields.ts';
import { RECORD_KINDS } from '../../src/imports/records/record-schemas.ts';
import { numberedRows, readPage } from '../support/documentation.ts';
import { createFleetDatabase } from '../support/fleet-database.ts';
import { importRecords } from '../support/import-records.ts';

const page = readPage('importing.md');

test('its table of DCGM fields is the code’s, row by row', () => {
  const rows = numberedRows(page).filter((row) => row.length === 6);
  expect(rows).toEqual(
    DCGM_FIELDS.map((field) => [
      String(field.number),
      field.names.map((name) => `\`${name}\``).join(', '),
      `\`${field.ours}\``,
      `${field.min} to ${field.max}${field.whole ? ', whole' : ''}`,
      String(field.standsInFor ?? '-'),
      field.instances ?? '-',
    ]),
  );
});

test('its example lines are one of each kind, and can be imported', async () => {
  const examples = /```ndjson\n(.*?)```/s.exec(page)?.[1]?.trimEnd() ?? '';
  const kinds = examples.split('\n').map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect([...kinds].sort()).toEqual([...RECORD_KINDS].sort());
  for (const kind of RECORD_KINDS) expect(page).toContain(`| \`${kind}\``);

  // The page's days are the two that were, whenever the test runs.
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const recent = examples.replaceAll('2026-11-21', day(1)).replaceAll('2026-11-20', day(2));
  const database = await createFleetDatabase();
  try {
    expect(await importRecords(database.importerUrl, recent)).toMatchObject({
      written: kinds.length,
      known: 0,
      rejects: [],
    });
    expect(await importRecords(database.importerUrl, recent)).toMatchObject({
      written: 0,
      known: kinds.length,
    });
  } finally {
    await database.drop();
  }
});
