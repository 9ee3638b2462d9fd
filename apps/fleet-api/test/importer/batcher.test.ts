import type { Attributed } from '../../src/importer/records/records.ts';
import { Batcher } from '../../src/importer/run/batcher.ts';

const entry = (customer_id: number, lines: number, text = 'x') => ({
  record: { kind: 'workspace', name: 'w', customer_id, workspace_id: 1, api_key_id: null } as Attributed,
  origin: { file: 'f', lines: Array.from({ length: lines }, () => ({ number: 1, text })) },
});

test('ends a batch only after the last record of a line', () => {
  const batcher = new Batcher();
  let full = null;
  let added = 0;
  // Three records per line; the last one carries the line.
  for (; full === null; added += 1) full = batcher.add(entry(1, added % 3 === 2 ? 1 : 0));
  expect(added % 3).toBe(0);
  expect(added).toBeGreaterThanOrEqual(40_000);
  expect(full.entries).toHaveLength(added);
  expect(batcher.isEmpty).toBe(true);
});

test('limits batches by alerts', () => {
  const batcher = new Batcher();
  const alert = { ...entry(1, 1), record: { ...entry(1, 1).record, kind: 'alert' } as Attributed };
  let added = 0;
  for (let full = null; full === null; added += 1) full = batcher.add(alert);
  expect(added).toBe(12_000);
});

test('limits batches by characters too, and separates customers', () => {
  const batcher = new Batcher();
  const long = 'x'.repeat(1024 * 1024);
  expect(batcher.add(entry(2, 1))).toBeNull();
  const batches = Array.from({ length: 16 }, () => batcher.add(entry(1, 1, long)));
  expect(batches.map((batch) => batch?.entries.length ?? null)).toEqual([...Array<null>(15).fill(null), 16]);
  expect(batcher.drain()).toMatchObject([{ customerId: 2 }]);
});
