import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@gpu-observatory/embedded-database';
import { startProcess } from '../contenders/service-process.ts';
import type { SentStatement } from './sent-statements.ts';
import { CONCURRENCY, Target } from './target.ts';

const run = promisify(execFile);
const plainServer = fileURLToPath(new URL('../contenders/plain-fastify.ts', import.meta.url));

/** What the database alone can do: nobody who asks it for the same can be faster. */
export interface Floor {
  name: string;
  /** How often a second a statement runs. */
  rate(statement: SentStatement, seconds: number): Promise<number>;
}

/** pgbench where it is installed; else the thinnest server there is, which is a good deal slower than pgbench. */
export async function findFloor(databaseUrl: string): Promise<Floor> {
  const found = await run('pgbench', ['--version']).catch(() => null);
  return found === null ? plainFloor(databaseUrl) : pgbenchFloor(databaseUrl);
}

function pgbenchFloor(databaseUrl: string): Floor {
  return {
    name: 'pgbench -M prepared',
    rate: async ({ text, values }, seconds) => {
      const folder = await mkdtemp(join(tmpdir(), 'gpu-observatory-floor-'));
      try {
        const file = join(folder, 'floor.sql');
        await writeFile(file, `${scriptOf({ text, values })};\n`);
        const whole = String(Math.max(1, Math.round(seconds)));
        const { stdout } = await run(
          'pgbench',
          [
            '-n',
            '-M',
            'prepared',
            '-c',
            String(CONCURRENCY),
            '-j',
            '1',
            '-T',
            whole,
            ...values.flatMap((value, index) => (value === null ? [] : ['-D', `p${index + 1}=${value}`])),
            '-f',
            file,
            databaseUrl,
          ],
          { env: { ...process.env, PGOPTIONS: '-c plan_cache_mode=force_generic_plan' } },
        );
        const rate = /^tps = ([\d.]+) \(without/m.exec(stdout)?.[1];
        if (rate === undefined) throw new Error(`pgbench said no rate: ${stdout}`);
        return Number(rate);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  };
}

/** With `:p1`, `:p2`, … for what pgbench is given by name; it knows no NULL. */
function scriptOf({ text, values }: SentStatement): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\$(\d+)/g, (_parameter, n) => (values[Number(n) - 1] === null ? 'NULL' : `:p${n}`));
}

function plainFloor(databaseUrl: string): Floor {
  return {
    name: 'plain Fastify and pg',
    rate: async ({ text, values }, seconds) => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const server = await startProcess(plainServer, {
        url,
        readyUrl: url,
        environment: { URL: url, DATABASE_URL: databaseUrl, SQL: text, VALUES: JSON.stringify(values) },
      });
      const target = new Target(url, 'none');
      try {
        const { body } = await target.get('/');
        const begin = performance.now();
        const times = await target.times('/', { seconds }, { status: 200, bytes: Buffer.byteLength(body) });
        return (times.length / (performance.now() - begin)) * 1000;
      } finally {
        await target.stop();
        await server.stop();
      }
    },
  };
}
