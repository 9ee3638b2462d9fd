import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Attributed } from '../../src/importer/records/records.ts';
import { ImportRun } from '../../src/importer/run/import-run.ts';
import { RejectFile } from '../../src/importer/run/reject-file.ts';
import type { SourceItem } from '../../src/importer/run/source.ts';
import { type Batch, Outcomes } from '../../src/importer/write/batch.ts';

/** A stub of a database that records batches and completes a write on `finish()`. */
class SlowDatabase {
  readonly batches: Batch[] = [];
  private readonly waiting: { resolve: (outcomes: Outcomes) => void; reject: (failure: Error) => void }[] =
    [];

  write(batch: Batch): Promise<Outcomes> {
    this.batches.push(batch);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Completes the oldest pending write. */
  finish(failure?: Error): void {
    const next = this.waiting.shift();
    const outcomes = new Outcomes();
    for (const entry of this.batches[this.batches.length - this.waiting.length - 1]?.entries ?? [])
      outcomes.recordWritten(entry);
    if (failure) next?.reject(failure);
    else next?.resolve(outcomes);
  }
}

let folder: string;
let database: SlowDatabase;
let run: ImportRun;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fleet-run-'));
  database = new SlowDatabase();
  run = new ImportRun(database, await RejectFile.open(join(folder, 'rejects.ndjson')));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Fills batches: four items are 16 MB. */
const items = (count: number): SourceItem[] =>
  Array.from({ length: count }, (_unused, n) => ({
    record: { kind: 'workspace', name: 'w', customer_id: 1, workspace_id: n, api_key_id: null } as Attributed,
    origin: { file: 'f', lines: [{ number: n, text: 'x'.repeat(4 * 1024 * 1024) }] },
  }));
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const isPending = (promise: Promise<unknown>) =>
  Promise.race([promise.then(() => false), nextTurn().then(() => true)]);

test('reads the next batch while one is written, and not more', async () => {
  await run.add(items(7));
  expect(database.batches.map(({ entries }) => entries.length)).toEqual([4]);
  expect([run.unwritten, run.counts.written]).toEqual([7, 0]);

  const second = run.add(items(1));
  expect(await isPending(second)).toBe(true);
  database.finish();
  await second;
  expect(database.batches).toHaveLength(2);
  expect([run.unwritten, run.counts.written]).toEqual([4, 4]);

  const flushed = run.flush();
  expect(await isPending(flushed)).toBe(true);
  database.finish();
  await flushed;
  expect([run.unwritten, run.counts.written]).toEqual([0, 8]);
});

test('throws the error of a failed batch from the next write or flush, and writes nothing after it', async () => {
  await run.add(items(4));
  database.finish(new Error('the disk is full'));
  await run.waitForWrite();
  await run.add(items(3));
  await expect(run.add(items(1))).rejects.toThrow('the disk is full');
  await expect(run.flush()).rejects.toThrow('the disk is full');
  expect(database.batches).toHaveLength(1);
  expect(run.counts.written).toBe(0);
});

test('writes few records of a stream at once if no batch is being written', async () => {
  run = new ImportRun(database, await RejectFile.open(join(folder, 'rejects.ndjson')), true);
  const started = Date.now();
  const now = jest.spyOn(Date, 'now').mockReturnValue(started);
  try {
    await run.add(items(1));
    now.mockReturnValue(started + 600);
    await run.add(items(1));
    expect(database.batches.map(({ entries }) => entries.length)).toEqual([2]);
    await run.add(items(1));
    now.mockReturnValue(started + 1_800);
    await run.add(items(1));
    expect(database.batches).toHaveLength(1);
    database.finish();
    await run.waitForWrite();
    await run.add([]);
    expect(database.batches.map(({ entries }) => entries.length)).toEqual([2, 2]);
  } finally {
    now.mockRestore();
    database.finish();
    await run.waitForWrite();
  }
});

test('writes few records of a file only when they are all', async () => {
  const started = Date.now();
  const now = jest.spyOn(Date, 'now').mockReturnValue(started);
  try {
    await run.add(items(1));
    now.mockReturnValue(started + 60_000);
    await run.add(items(1));
    expect(database.batches).toHaveLength(0);
    const flushed = run.flush();
    await nextTurn();
    database.finish();
    await flushed;
    expect(database.batches.map(({ entries }) => entries.length)).toEqual([2]);
  } finally {
    now.mockRestore();
  }
});

describe('data that the database rejects', () => {
  const entry = (name: string, lines = 1): SourceItem => ({
    record: { kind: 'workspace', name, customer_id: 1, workspace_id: 1, api_key_id: null } as Attributed,
    origin: { file: 'f', lines: Array.from({ length: lines }, () => ({ number: 1, text: name })) },
  });
  const namesOf = ({ entries }: Batch) =>
    entries.map(({ record }) => (record as Attributed & { name: string }).name).join('');
  /** A stub of a database that rejects batches with a bad record, and records what it wrote. */
  const rejectingDatabase = (code: string) => {
    const written: string[] = [];
    const write = (batch: Batch): Promise<Outcomes> => {
      if (namesOf(batch).includes('bad'))
        return Promise.reject(Object.assign(new Error('bigint out of range'), { code }));
      written.push(namesOf(batch));
      const outcomes = new Outcomes();
      for (const one of batch.entries) outcomes.recordWritten(one);
      return Promise.resolve(outcomes);
    };
    return { written, write };
  };
  const rejectsOf = () =>
    readFileSync(join(folder, 'rejects.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { reason: string; text: string });
  const REASON = 'the database cannot store the record: bigint out of range';

  test.each(['22003', '54000'])('rejects only its records, in their order (%s)', async (code) => {
    const { written, write } = rejectingDatabase(code);
    run = new ImportRun({ write }, await RejectFile.open(join(folder, 'rejects.ndjson')));
    await run.add(['a', 'b', 'bad1', 'c', 'd', 'e', 'bad2'].map((name) => entry(name)));
    await run.flush();
    expect(written.join('')).toBe('abcde');
    expect(run.counts).toEqual({ written: 5, duplicate: 0, rejected: 2 });
    expect(run.unwritten).toBe(0);
    expect(rejectsOf()).toEqual([
      expect.objectContaining({ reason: REASON, text: 'bad1' }),
      expect.objectContaining({ reason: REASON, text: 'bad2' }),
    ]);
  });

  test('rejects all records of a line, and no others', async () => {
    const { written, write } = rejectingDatabase('22P02');
    run = new ImportRun({ write }, await RejectFile.open(join(folder, 'rejects.ndjson')));
    const line = (name: string) => [entry(`${name}1`, 0), entry(`${name}2`, 0), entry(name)];
    await run.add([...line('a'), ...line('b'), entry('c1', 0), entry('bad', 0), entry('c'), ...line('d')]);
    await run.flush();
    expect(written.join('')).toBe('a1a2ab1b2bd1d2d');
    expect(run.counts).toEqual({ written: 9, duplicate: 0, rejected: 1 });
    expect(run.unwritten).toBe(0);
    expect(rejectsOf()).toEqual([expect.objectContaining({ reason: REASON, text: 'c' })]);
  });

  test('rejects a scrape as a whole, since its digest covers all of it', async () => {
    const { written, write } = rejectingDatabase('22003');
    run = new ImportRun({ write }, await RejectFile.open(join(folder, 'rejects.ndjson')));
    const add = (text: string, names: string[]) =>
      run.addScrape(
        names.map((name) => entry(name)),
        1,
        { workspaceId: 1, digest: Buffer.from(text) },
      );
    await add('1', ['a', 'b', 'c', 'd', 'e', 'f']);
    await add('2', ['g', 'bad', 'h']);
    await add('3', ['i']);
    await run.flush();
    expect(written.join('')).toBe('abcdefi');
    expect(run.counts).toEqual({ written: 7, duplicate: 0, rejected: 3 });
    expect(run.unwritten).toBe(0);
  });

  test('other errors end the import', async () => {
    const { written, write } = rejectingDatabase('23514');
    run = new ImportRun({ write }, await RejectFile.open(join(folder, 'rejects.ndjson')));
    await run.add([entry('a'), entry('bad')]);
    await expect(run.flush()).rejects.toThrow('bigint out of range');
    expect(written).toEqual([]);
    expect(run.counts.rejected).toBe(0);
  });
});
