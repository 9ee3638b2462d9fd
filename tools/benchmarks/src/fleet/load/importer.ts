import { type ChildProcess, execFile, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { cpuTimeOf, imageEnvironment } from '@gpu-observatory/embedded-database';
import { programOf } from '../../service-process.ts';
import type { DatabaseTime } from './database-time.ts';

const SAMPLE_INTERVAL_MS = 200;
/** V8's default heap in a container of 512 MB. With a larger limit it grows further and shrinks late. */
const HEAP_MB = 256;

export interface ImportCost {
  seconds: number;
  written: number;
  /** Maximum resident set size in the first and in the last quarter of the run, in MB. */
  memoryMb: { firstQuarter: number; lastQuarter: number };
  /** CPU time in ns until the last sample, at most 0.2 s before the end. 0 where there is no /proc. */
  cpuTime: { importer: number; database: number };
}

/**
 * Runs the built import command.
 *
 * @param args after `import`
 * @throws {Error} when the import failed, or rejected or skipped a record
 */
export async function runImport(
  importerUrl: string,
  args: readonly string[],
  databaseTime: DatabaseTime,
): Promise<ImportCost> {
  const started = performance.now();
  const importer = spawnImporter(importerUrl, args, ['ignore', 'pipe', 'inherit']);
  const ended = once(importer, 'exit');
  const output = text(importer.stdout as Readable);
  const memory: number[] = [];
  const ofServerProcesses = new Map<number, number>();
  let ofImporter = 0;
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  while (!hasEnded) {
    const megabytes = await residentMb(importer.pid as number);
    if (megabytes > 0) memory.push(megabytes);
    ofImporter = Math.max(ofImporter, cpuTimeOf(importer.pid as number));
    for (const [pid, ns] of await databaseTime.cpuTimes('fleet_importer')) ofServerProcesses.set(pid, ns);
    await Promise.race([ended, sleep(SAMPLE_INTERVAL_MS)]);
  }
  const seconds = (performance.now() - started) / 1000;
  const [code] = (await ended) as [number];
  const result = JSON.parse((await output) || '{}') as {
    written?: number;
    rejected?: number;
    duplicate?: number;
  };
  if (code !== 0 || result.rejected !== 0 || result.duplicate !== 0)
    throw new Error(`import ${args[0]} exited with ${code}: ${JSON.stringify(result)}`);
  const quarter = Math.ceil(memory.length / 4);
  return {
    seconds,
    written: result.written ?? 0,
    memoryMb: {
      firstQuarter: Math.max(...memory.slice(0, quarter)),
      lastQuarter: Math.max(...memory.slice(-quarter)),
    },
    cpuTime: {
      importer: ofImporter,
      database: [...ofServerProcesses.values()].reduce((sum, ns) => sum + ns, 0),
    },
  };
}

export interface LiveImport {
  write(lines: readonly string[]): void;
  /** @throws {Error} when the import failed */
  stop(): Promise<void>;
}

/** Starts the built import command with a stream of NDJSON. */
export function startLiveImport(importerUrl: string, args: readonly string[]): LiveImport {
  const importer = spawnImporter(
    importerUrl,
    ['ndjson', '-', '--follow', ...args],
    ['pipe', 'ignore', 'inherit'],
  );
  const input = importer.stdin as Writable;
  const ended = once(importer, 'exit');
  return {
    write: (lines) => void input.write(`${lines.join('\n')}\n`),
    stop: async () => {
      input.end();
      const [code] = (await ended) as [number];
      if (code !== 0) throw new Error(`the live import exited with ${code}`);
    },
  };
}

function spawnImporter(importerUrl: string, args: readonly string[], stdio: StdioOptions): ChildProcess {
  return spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, programOf('fleet-api', 'cli'), 'import', ...args, '--quiet'],
    {
      env: {
        ...imageEnvironment(),
        NODE_ENV: 'production',
        LOG_LEVEL: 'warn',
        IMPORTER_DATABASE_URL: importerUrl,
      },
      stdio,
    },
  );
}

/** Returns 0 once the process has ended. */
async function residentMb(pid: number): Promise<number> {
  const result = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => null);
  return Number(result?.stdout.trim() ?? 0) / 1024;
}
