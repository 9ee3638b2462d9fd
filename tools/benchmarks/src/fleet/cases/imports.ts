import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, check } from '../bench.ts';
import { type Comparison, compare } from '../../comparison.ts';
import {
  alertLines,
  falcoLines,
  IMPORTED_GPUS,
  sampleLines,
  scrapeLines,
  writeLines,
} from '../data-set/import-inputs.ts';
import type { DatabaseTime } from '../load/database-time.ts';
import { type ImportCost, runImport } from '../load/importer.ts';

/** Required rates. A reading of dcgm is all fields of a GPU in one scrape. */
const SAMPLES_PER_SECOND = 40_000;
const READINGS_PER_SECOND = 10_000;
const ALERTS_PER_SECOND = 20_000;
const FALCO_ALERTS_PER_SECOND = 12_000;
/** Import duration at the required rate, in multiples of `--seconds`. Memory growth shows only in long runs. */
const DURATION_FACTOR = 12;
const SCRAPE_INTERVAL_MS = 15_000;
/** Memory may settle late, but must not grow with the input. */
const MAX_MEMORY_GROWTH = 1.25;

interface Input {
  name: string;
  format: 'ndjson' | 'dcgm' | 'falco';
  /** Name and lines of each file. */
  files: (readonly [name: string, lines: Iterable<string>])[];
  /** Number of items for the rate. */
  count: number;
  /** Required items per second. */
  rate: number;
  /** Number of records that the importer must write. */
  written: number;
}

/**
 * Measures rate, memory and CPU time of the importer for each format, with a separate database. On a machine with these
 * processes alone, the CPU time bounds the rate.
 */
export async function imports({ seconds, emptyDatabase, databaseTime }: Bench): Promise<Comparison[]> {
  const countAt = (rate: number) => Math.ceil(rate * seconds * DURATION_FACTOR);
  const inputs = [
    ndjsonSamples(countAt(SAMPLES_PER_SECOND)),
    dcgm(Math.ceil(countAt(READINGS_PER_SECOND) / IMPORTED_GPUS)),
    ndjsonAlerts(countAt(ALERTS_PER_SECOND)),
    falco(countAt(FALCO_ALERTS_PER_SECOND)),
  ];
  const database = await emptyDatabase();
  try {
    const comparisons: Comparison[] = [];
    for (const [index, input] of inputs.entries())
      comparisons.push(...(await measureImport(database.importerUrl, index + 1, input, databaseTime)));
    return comparisons;
  } finally {
    await database.drop();
  }
}

function ndjsonSamples(count: number): Input {
  const files = [['samples.ndjson', sampleLines(count, Date.now())] as const];
  const written = count + IMPORTED_GPUS;
  return { name: 'samples of NDJSON', format: 'ndjson', files, count, rate: SAMPLES_PER_SECOND, written };
}

function dcgm(scrapes: number): Input {
  const endMs = Date.now();
  const files = Array.from({ length: scrapes }, (_unused, round) => {
    const atMs = endMs - (scrapes - 1 - round) * SCRAPE_INTERVAL_MS;
    return [`${round}.prom`, scrapeLines(round, atMs)] as const;
  });
  const count = scrapes * IMPORTED_GPUS;
  // An inventory record and a sample per GPU.
  const written = 2 * count;
  return { name: 'GPU readings of dcgm', format: 'dcgm', files, count, rate: READINGS_PER_SECOND, written };
}

function ndjsonAlerts(count: number): Input {
  const files = [['alerts.ndjson', alertLines(count, Date.now())] as const];
  return {
    name: 'alerts of NDJSON',
    format: 'ndjson',
    files,
    count,
    rate: ALERTS_PER_SECOND,
    written: count,
  };
}

function falco(count: number): Input {
  const files = [['falco.json', falcoLines(count, Date.now())] as const];
  // An alert and a timeline event each.
  return {
    name: 'alerts of Falco',
    format: 'falco',
    files,
    count,
    rate: FALCO_ALERTS_PER_SECOND,
    written: 2 * count,
  };
}

async function measureImport(
  importerUrl: string,
  customerId: number,
  input: Input,
  databaseTime: DatabaseTime,
): Promise<Comparison[]> {
  const { name, format, count, rate } = input;
  const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-import-'));
  try {
    for (const [file, lines] of input.files) await writeLines(join(folder, file), lines);
    const args = [
      ...[format, '--customer', String(customerId), '--workspace', '10'],
      ...['--rejects', join(folder, 'rejects.ndjson')],
      ...input.files.map(([file]) => join(folder, file)),
    ];
    const cost = await runImport(importerUrl, args, databaseTime);
    check(
      cost.written === input.written,
      `${name}: ${cost.written} records written, expected ${input.written}`,
    );
    const { lastQuarter, firstQuarter } = cost.memoryMb;
    return [
      compare(`import, ${name}`, [count / cost.seconds, NaN], 'per second', 'absolute', { rate }),
      compare(`import, ${name}, memory`, [lastQuarter, firstQuarter], 'MB', 'first quarter of the run', {
        cost: MAX_MEMORY_GROWTH,
      }),
      ...cpuTimesOf(name, count, cost.cpuTime),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns nothing where CPU times are not measured. */
function cpuTimesOf(
  name: string,
  count: number,
  { importer, database }: ImportCost['cpuTime'],
): Comparison[] {
  if (importer === 0 || database === 0) return [];
  const absolute = (figure: string, ours: number, unit: Comparison['unit']) =>
    compare(`import, ${name}, ${figure}`, [ours, NaN], unit, 'absolute');
  const us = (ns: number) => ns / 1_000 / count;
  return [
    absolute('importer', us(importer), 'us CPU'),
    absolute('database', us(database), 'us CPU'),
    absolute(
      'if no core waits',
      (availableParallelism() * 1e6) / (us(importer) + us(database)),
      'per second',
    ),
  ];
}
