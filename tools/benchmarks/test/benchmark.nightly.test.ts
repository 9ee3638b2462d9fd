import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { benchmark } from '../src/benchmark.ts';
import { CASES } from '../src/options.ts';
import type { Row } from '../src/report.ts';

test('measures every case on a tiny data set', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gpu-observatory-bench-'));
  const steps: string[] = [];
  try {
    const tables: Record<string, Row[]> = {};
    const size = { alerts: 3_000, gpus: 16, days: 3 };
    const options = { size, cases: CASES, seconds: 0.05, rounds: 1, against: undefined };
    for await (const { name, row } of benchmark(directory, options, (step) => steps.push(step)))
      (tables[name] ??= []).push(row);
    expect(Object.keys(tables)).toEqual(CASES);
    const { reads = [], growth = [], imports = [] } = tables;
    expect(reads.map(({ request }) => request)).toEqual([
      '50 alerts',
      '1,000 alerts',
      '50 alerts of a severity and a type',
      '50 alerts by severity',
      '50 alerts of a workspace',
      '50 alerts of a host, one client',
      '50 alerts with a common text, one client',
      '50 alerts with a rare text, one client',
      'alert',
      'timeline of an alert',
      'alert counts of 3 days',
      'alert trend of 3 days',
      '16 GPUs, basic',
      '16 GPUs, full',
      'metrics of 3 days',
    ]);
    expect(Object.keys(reads[0] ?? {})).toEqual(expect.arrayContaining(['x hand-written', 'x ORM']));
    expect(growth.length).toBeGreaterThan(10);
    expect(imports).toHaveLength(4);
    for (const row of [...reads, ...growth, ...imports])
      for (const [column, value] of Object.entries(row).slice(1))
        // The kernel counts CPU time in steps of 10 ms, which a short measurement may not fill.
        expect([column, value]).toEqual([column, column.endsWith('us CPU') ? expect.any(Number) : positive]);
    // Each data set is imported once.
    expect(steps.filter((step) => step.startsWith('importing '))).toHaveLength(2);
  } finally {
    await removeEmbeddedDatabase(join(directory, 'database'));
    await rm(directory, { recursive: true });
  }
});

const positive = {
  asymmetricMatch: (value: unknown) => typeof value === 'number' && value > 0,
};
