import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MeasureLoad } from './load.ts';
import type { LoggedStatement } from './statement-log.ts';
import { CONCURRENCY } from '../../target.ts';

const run = promisify(execFile);
/** Transactions of each client in a measurement of less than a second. */
const SHORT_TRANSACTIONS = 10;

/** The rate of a statement in the database alone, which no service can exceed. */
export interface LowerBound {
  measure(statement: LoggedStatement, clients?: number): MeasureLoad;
}

/** Uses pgbench. Returns null where it is not installed. */
export async function findLowerBound(
  databaseUrl: string,
  log: (line: string) => void,
): Promise<LowerBound | null> {
  const isInstalled = await run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (isInstalled)
    return {
      measure:
        (statement, clients = CONCURRENCY) =>
        async (seconds) => ({ perSecond: await pgbenchRate(databaseUrl, statement, { seconds, clients }) }),
    };
  log('pgbench is not installed: omitting the lower bound');
  return null;
}

async function pgbenchRate(
  databaseUrl: string,
  { text, values }: LoggedStatement,
  { seconds, clients }: { seconds: number; clients: number },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-pgbench-'));
  try {
    const file = join(folder, 'statement.sql');
    await writeFile(file, `${pgbenchScript({ text, values })};\n`);
    const { stdout } = await run(
      'pgbench',
      [
        ...['-n', '-M', 'prepared', '-c', String(clients), '-j', '1'],
        // The shortest duration of pgbench is a second.
        ...(seconds < 1 ? ['-t', String(SHORT_TRANSACTIONS)] : ['-T', String(Math.round(seconds))]),
        ...values.flatMap((value, index) => (value === null ? [] : ['-D', `p${index + 1}=${value}`])),
        ...['-f', file, databaseUrl],
      ],
      { env: { ...process.env, PGOPTIONS: '-c plan_cache_mode=force_generic_plan' } },
    );
    const rate = /^tps = ([\d.]+) \(without/m.exec(stdout)?.[1];
    if (rate === undefined) throw new Error(`pgbench printed no rate: ${stdout}`);
    return Number(rate);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Replaces `$1` by the variable `:p1`, and by NULL where the value is null, which pgbench variables cannot hold. */
function pgbenchScript({ text, values }: LoggedStatement): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\$(\d+)/g, (_parameter, n) => (values[Number(n) - 1] === null ? 'NULL' : `:p${n}`));
}
