import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, check } from '../bench.ts';
import type { Comparison } from '../comparison.ts';
import {
  alertLines,
  falcoLines,
  FIELDS_OF_A_SCRAPE,
  IMPORTED_GPUS,
  sampleLines,
  scrapeLines,
  writeLines,
} from '../data-set/import-inputs.ts';
import { runImport } from '../load/importer.ts';

const SAMPLES_PER_SECOND = 20_000;
const ALERTS_PER_SECOND = 5_000;
/** Enough for so many times the seconds of a figure, at the rates that are asked for: memory that grows shows late. */
const LASTING = 40;
const SCRAPE_INTERVAL_MS = 15_000;
/** What a process needs may settle late; without bounds it would grow with its input. */
const FLAT = 1.25;

interface Input {
  what: string;
  format: 'ndjson' | 'dcgm' | 'falco';
  /** Each file with its lines. */
  files: (readonly [name: string, lines: Iterable<string>])[];
  /** What the rate is of. */
  count: number;
  /** Records that are written. */
  written: number;
}

/** The importer with each format, into a database of its own: how fast it is, and whether its memory stays flat. */
export async function imports({ seconds, emptyDatabase }: Bench): Promise<Comparison[]> {
  const samples = Math.ceil(SAMPLES_PER_SECOND * seconds * LASTING);
  const alerts = Math.ceil(ALERTS_PER_SECOND * seconds * LASTING);
  const inputs = [
    ndjsonSamples(samples),
    dcgm(Math.ceil(samples / (IMPORTED_GPUS * FIELDS_OF_A_SCRAPE))),
    ndjsonAlerts(alerts),
    falco(alerts),
  ];
  const database = await emptyDatabase();
  try {
    const comparisons: Comparison[] = [];
    for (const [index, input] of inputs.entries())
      comparisons.push(...(await imported(database.importerUrl, index + 1, input)));
    return comparisons;
  } finally {
    await database.drop();
  }
}

function ndjsonSamples(count: number): Input {
  const files = [['samples.ndjson', sampleLines(count, Date.now())] as const];
  return { what: 'samples of NDJSON', format: 'ndjson', files, count, written: count + IMPORTED_GPUS };
}

function dcgm(scrapes: number): Input {
  const endMs = Date.now();
  const files = Array.from({ length: scrapes }, (_unused, round) => {
    const atMs = endMs - (scrapes - 1 - round) * SCRAPE_INTERVAL_MS;
    return [`${round}.prom`, scrapeLines(round, atMs)] as const;
  });
  const count = scrapes * IMPORTED_GPUS * FIELDS_OF_A_SCRAPE;
  // Of each GPU what is known of it, and its readings.
  const written = 2 * scrapes * IMPORTED_GPUS;
  return { what: 'Prometheus samples of dcgm', format: 'dcgm', files, count, written };
}

function ndjsonAlerts(count: number): Input {
  const files = [['alerts.ndjson', alertLines(count, Date.now())] as const];
  return { what: 'alerts of NDJSON', format: 'ndjson', files, count, written: count };
}

function falco(count: number): Input {
  const files = [['falco.json', falcoLines(count, Date.now())] as const];
  // With each alert the event on its timeline.
  return { what: 'alerts of Falco', format: 'falco', files, count, written: 2 * count };
}

async function imported(importerUrl: string, customerId: number, input: Input): Promise<Comparison[]> {
  const { what, format, count } = input;
  const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-import-'));
  try {
    for (const [name, lines] of input.files) await writeLines(join(folder, name), lines);
    const cost = await runImport(importerUrl, [
      ...[format, '--customer', String(customerId), '--workspace', '10'],
      ...['--rejects', join(folder, 'rejects.ndjson')],
      ...input.files.map(([name]) => join(folder, name)),
    ]);
    check(cost.written === input.written, `${what}: ${cost.written} records are written`);
    const isOfAlerts = what.startsWith('alerts');
    return [
      {
        operation: `import, ${what}`,
        against: 'by itself',
        ours: count / cost.seconds,
        theirs: NaN,
        unit: 'per second',
        bar: { kind: 'rate', limit: isOfAlerts ? ALERTS_PER_SECOND : SAMPLES_PER_SECOND },
      },
      {
        operation: `import, ${what}, memory`,
        against: 'a quarter of the way',
        ours: cost.memoryMb.atLast,
        theirs: cost.memoryMb.atFirst,
        unit: 'MB',
        bar: { kind: 'cost', limit: FLAT },
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}
