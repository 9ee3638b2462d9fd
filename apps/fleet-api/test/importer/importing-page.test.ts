import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEVERITIES } from '@gpu-observatory/domain-types';
import { XidCatalog } from '../../src/model/health/xid-catalog.ts';
import { DCGM_FIELDS } from '../../src/importer/formats/dcgm/dcgm-fields.ts';
import { DCGM_FORMAT } from '../../src/importer/formats/dcgm/dcgm-format.ts';
import { importExporterPage } from '../../src/importer/formats/exporters/import-page.ts';
import { FalcoRules } from '../../src/importer/formats/falco/falco-rules.ts';
import { importXid } from '../../src/importer/formats/xid/import-xid.ts';
import { RECORD_KINDS } from '../../src/importer/records/record-schemas.ts';
import { numberedRows, readPage } from '../support/documentation.ts';
import { createFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { importRecords, importText } from '../support/import-records.ts';

const page = readPage('importing.md');

test('docs/importing.md has all DCGM fields', () => {
  const rows = numberedRows(page).filter((row) => row.length === 5);
  expect(rows).toEqual(
    DCGM_FIELDS.filter(({ verdictOf }) => verdictOf === undefined).map((field) => [
      String(field.number),
      field.names.map((name) => `\`${name}\``).join(', '),
      `\`${field.recordField}\``,
      String(field.fallbackFor ?? ''),
      field.instances ?? '',
    ]),
  );
});

test('docs/importing.md has what DCGM states about a GPU', () => {
  const stated = DCGM_FIELDS.filter(({ verdictOf }) => verdictOf !== undefined);
  expect(stated.length).toBeGreaterThan(20);
  for (const name of stated.flatMap(({ names }) => names)) {
    const documented = name.replace(/^(DCGM_FI_DEV_DIAG_)\w+(?=_RESULT)/, '$1…').replace(/ .*/, '');
    expect(page).toContain(`\`${documented}\``);
  }
});

test('the example lines have one record of each kind and can be imported', async () => {
  const examples = /```ndjson\n(.*?)```/s.exec(page)?.[1]?.trimEnd() ?? '';
  const kinds = examples.split('\n').map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect([...kinds].sort()).toEqual([...RECORD_KINDS].sort());
  for (const kind of RECORD_KINDS) expect(page).toContain(`| \`${kind}\``);

  // Moves the dates of the page to the last two days, which are within retention.
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const recent = examples.replaceAll('2026-11-21', day(1)).replaceAll('2026-11-20', day(2));
  const database = await createFleetDatabase();
  try {
    expect(await importRecords(database.importerUrl, recent)).toMatchObject({
      written: kinds.length,
      duplicate: 0,
      rejects: [],
    });
    expect(await importRecords(database.importerUrl, recent)).toMatchObject({
      written: 0,
      duplicate: kinds.length,
    });
  } finally {
    await database.drop();
  }
});

test('the first example results in a critical GPU with a pod, and one alert', async () => {
  const scrape = /```prom\n(.*?)```/s.exec(page)?.[1] ?? '';
  const line = /^echo "\$\(date[^)]*\)(.*?)" \|$/m.exec(page)?.[1] ?? '';
  const result = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '') as Record<string, unknown>;
  const database = await createFleetDatabase();
  const owner = { customerId: 1, workspaceId: 10 };
  const at = new Date(Date.now() - 60_000);
  try {
    const { rejects, ...counts } = await importText(database.importerUrl, scrape, (job) =>
      importExporterPage(job, { ...owner, at, format: DCGM_FORMAT }),
    );
    expect({ ...counts, reject_file: 'node-7.prom.rejects.ndjson' }).toEqual(result);
    for (const { reason } of rejects) expect(page).toContain(reason);
    const log = `${at.toISOString().replace('Z', '+00:00')}${line}`;
    await importText(database.importerUrl, log, (job) =>
      importXid(job, { ...owner, host: null, bootTimeMs: null, utcOffsetMinutes: 0 }),
    );
    const gpus = `SELECT g.hostname, g.health_signals::text AS signals, w.name AS pod, a.type, a.severity, a.title
      FROM fleet.gpus g JOIN fleet.gpu_workloads w USING (customer_id, gpu_id) JOIN fleet.alerts a USING (customer_id)`;
    const rows = await rowsOf<Record<string, string>>(database.administratorUrl, gpus);
    expect(rows).toEqual([
      {
        hostname: 'node-7',
        signals: expect.stringContaining('critical_xid') as string,
        pod: 'llama-7577f87fc7-dhb97',
        type: 'gpu_pcie',
        severity: expect.anything() as number,
        title: 'XID 79: GPU has fallen off the bus',
      },
    ]);
    expect(page).toContain('`XID 79: GPU has fallen off the bus (restart host)`');
  } finally {
    await database.drop();
  }
});

describe('the example tables of an operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tables-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const tableOf = (text: string) => {
    const file = join(folder, 'table.yaml');
    writeFileSync(file, /```yaml\n(.*?)```/s.exec(text)?.[1] ?? '');
    return file;
  };
  const event = { time: '', output: '', source: '', tags: [], hostname: null, fields: {} };

  test('Falco rules: valid, with the described effect', () => {
    const rules = FalcoRules.read({ file: tableOf(page), name: 'the page' });
    const classify = (rule: string) => rules.classify({ ...event, rule, priority: 'Notice' });
    expect(classify('Terminal shell in container')).toEqual({ type: 'container_escape', severity: 'high' });
    expect(classify('Our own rule')).toEqual({ type: 'model_poisoning', severity: 'medium' });
    expect(classify('Contact K8S API Server From Container')).toHaveProperty('fault');
  });

  test('XIDs: valid, with the described effect', () => {
    const xids = XidCatalog.read(tableOf(readPage('gpu-health.md')));
    expect(xids.entry(63)).toMatchObject({ class: 'ignore', health: null });
    expect(xids.entry(43)).toMatchObject({ health: 'degraded', alert: null });
    expect(xids.entry(140)).toMatchObject({ action: 'run the burn-in again', health: 'degraded' });
  });

  test('the priorities equal the built-in ones', () => {
    const rows = [...page.matchAll(/^\| ([A-Z][A-Za-z, ]+?) +\| (\w+) +\|$/gm)].filter(([, , severity]) =>
      (SEVERITIES as readonly string[]).includes(severity as string),
    );
    expect(rows).toHaveLength(SEVERITIES.length);
    for (const [, priorities = '', severity] of rows)
      for (const priority of priorities.split(', '))
        expect(FalcoRules.read().classify({ ...event, rule: 'any', priority })).toMatchObject({ severity });
  });
});
