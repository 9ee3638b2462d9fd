import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { FLEET_CLI } from '../contenders/fleet-cli.ts';

const LOOK_EVERY_MS = 200;
/** What V8 takes by itself in a container of 512 MB. Where it may take more it does, and gives it back late. */
const HEAP_MB = 256;

/** What an import took. */
export interface ImportCost {
  seconds: number;
  written: number;
  /** The most memory (resident set) that the process held in the first quarter of the time, and in the last, in MB. */
  memoryMb: { atFirst: number; atLast: number };
}

/**
 * Imports by the operations command, as built.
 *
 * @param words of the command, after `import`
 * @throws Error when anything was refused
 */
export async function runImport(importerUrl: string, words: readonly string[]): Promise<ImportCost> {
  const begin = performance.now();
  const importer = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, FLEET_CLI, 'import', ...words, '--quiet'],
    {
      env: { NODE_ENV: 'production', LOG_LEVEL: 'warn', IMPORTER_DATABASE_URL: importerUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(importer, 'exit');
  const said = text(importer.stdout);
  const memory: number[] = [];
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver) {
    const megabytes = await residentMb(importer.pid as number);
    if (megabytes > 0) memory.push(megabytes);
    await Promise.race([ended, sleep(LOOK_EVERY_MS)]);
  }
  const seconds = (performance.now() - begin) / 1000;
  const [code] = (await ended) as [number];
  const result = JSON.parse((await said) || '{}') as { written?: number; rejected?: number; known?: number };
  if (code !== 0 || result.rejected !== 0 || result.known !== 0)
    throw new Error(`import ${words[0]} ended with ${code}: ${JSON.stringify(result)}`);
  const quarter = Math.ceil(memory.length / 4);
  return {
    seconds,
    written: result.written ?? 0,
    memoryMb: {
      atFirst: Math.max(...memory.slice(0, quarter)),
      atLast: Math.max(...memory.slice(-quarter)),
    },
  };
}

/** 0 once it has ended. */
async function residentMb(pid: number): Promise<number> {
  const said = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => null);
  return Number(said?.stdout.trim() ?? 0) / 1024;
}
