import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTimeOf } from '@gpu-observatory/testing';
import type { DatabaseServer } from './database-server.ts';
import { FleetBuild } from './fleet-build.ts';
import { inTurns, median, medianRatio } from './load.ts';
import type { Options, Size } from './options.ts';
import {
  alertRecords,
  falcoEvents,
  linesOf,
  REPORT_INTERVAL_MS,
  sampleRecords,
  scrapeLines,
} from './records.ts';
import type { Row } from './report.ts';

/** Part of the alerts of the data set that an import has. */
const PART = 10;
const SAMPLE_INTERVAL_MS = 200;
const OWNER = ['--customer', '1', '--workspace', '101'];

interface Input {
  name: string;
  args: readonly string[];
  count: number;
  lines(): Iterable<string>;
}

type ImportCost = Awaited<ReturnType<typeof measureImport>>;

/** Measures imports of each format into an empty database. */
export async function* measureImports(
  server: DatabaseServer,
  other: FleetBuild | null,
  { size, rounds }: Options,
): AsyncGenerator<Row> {
  for (const input of inputsOf(size)) {
    const builds = [FleetBuild.own, ...(other ? [other] : [])];
    const [ours = [], theirs] = await inTurns(
      rounds,
      builds.map((build) => () => measureImport(server, build, input)),
    );
    const figure = (of: (cost: ImportCost) => number) => median(ours.map(of));
    yield {
      import: `${input.count.toLocaleString('en')} ${input.name}`,
      'per second': figure(({ perSecond }) => perSecond),
      'importer us CPU': figure(({ importerCpu }) => importerCpu),
      'PostgreSQL us CPU': figure(({ databaseCpu }) => databaseCpu),
      'importer MB': figure(({ megabytes }) => megabytes),
      ...(theirs && { 'x other build': medianRatio(ours, theirs, ({ perSecond }) => perSecond) }),
    };
  }
}

function inputsOf({ alerts, gpus }: Size): Input[] {
  const endMs = Date.now();
  const count = Math.ceil(alerts / PART);
  const scrapes = Math.max(1, Math.floor(count / gpus));
  return [
    {
      name: 'samples as NDJSON',
      args: ['ndjson', ...OWNER],
      count,
      lines: () => linesOf(sampleRecords(count, gpus, endMs)),
    },
    {
      name: 'GPUs in pages of dcgm-exporter',
      args: ['dcgm', ...OWNER],
      count: scrapes * gpus,
      lines: function* () {
        for (let round = 0; round < scrapes; round++)
          yield* scrapeLines(round, gpus, endMs - (scrapes - 1 - round) * REPORT_INTERVAL_MS);
      },
    },
    {
      name: 'alerts as NDJSON',
      args: ['ndjson'],
      count,
      lines: () => linesOf(alertRecords(count, gpus, endMs, 5)),
    },
    {
      name: 'events of Falco',
      args: ['falco', '--customer', '1'],
      count,
      lines: () => linesOf(falcoEvents(count, gpus, endMs)),
    },
  ];
}

async function measureImport(server: DatabaseServer, build: FleetBuild, input: Input) {
  const database = 'fleet_imports';
  await server.createDatabase(database, build);
  let processId = 0;
  const started = performance.now();
  const ended = build
    .importLines(
      input.lines(),
      input.args,
      server.urlOf(database, 'fleet_importer'),
      (pid) => (processId = pid),
    )
    .finally(() => (hasEnded = true));
  let hasEnded = false;
  let importerCpu = 0;
  let megabytes = 0;
  const databaseCpu = new Map<number, number>();
  while (!hasEnded) {
    importerCpu = Math.max(importerCpu, cpuTimeOf(processId));
    megabytes = Math.max(megabytes, residentMegabytes(processId));
    for (const [pid, ns] of await server.cpuTimes('fleet_importer')) databaseCpu.set(pid, ns);
    await Promise.race([ended, sleep(SAMPLE_INTERVAL_MS)]);
  }
  await ended;
  const seconds = (performance.now() - started) / 1000;
  await server.dropDatabase(database);
  const perRecord = (ns: number) => ns / 1000 / input.count;
  return {
    perSecond: input.count / seconds,
    /** CPU time per record, in us, until the last sample. 0 where there is no /proc. */
    importerCpu: perRecord(importerCpu),
    databaseCpu: perRecord([...databaseCpu.values()].reduce((sum, ns) => sum + ns, 0)),
    /** Largest resident memory of the importer; 0 where there is no /proc. */
    megabytes,
  };
}

function residentMegabytes(processId: number): number {
  try {
    return (
      Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1] ?? 0) / 1024
    );
  } catch {
    return 0;
  }
}
