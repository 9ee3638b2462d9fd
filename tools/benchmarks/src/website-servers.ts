import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, removeEmbeddedDatabase, startEmbeddedDatabase } from '@gpu-observatory/embedded-database';
import { Asked, type FixedAnswer } from './website-answers.ts';

const website = new URL('../../../apps/website-api/', import.meta.url);
const pathOf = (name: string, from: URL = website) => fileURLToPath(new URL(name, from));
const START_WITHIN_MS = 120_000;

export interface Servers {
  website: Asked;
  /** Plain Fastify with these answers in its memory. */
  startFloor(answers: FixedAnswer[]): Promise<Asked>;
  stop(): Promise<void>;
}

/** One process of website-api, as built, with the posts of the repository on a database of its own. */
export async function startServers(): Promise<Servers> {
  const directory = await mkdtemp(join(tmpdir(), 'gpu-observatory-bench-'));
  const stopping: (() => Promise<unknown>)[] = [
    () => rm(directory, { recursive: true, force: true }),
    // Run by root, its files may lie elsewhere.
    () => removeEmbeddedDatabase(join(directory, 'database')),
  ];
  const stop = async () => {
    for (const step of stopping.splice(0).reverse()) await step();
  };
  const run = (program: string, environment: Record<string, string>, readyUrl: string) => {
    const child = spawn(process.execPath, [program], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { NODE_ENV: 'production', ...environment },
    });
    stopping.push(() => end(child));
    return untilReady(readyUrl, program);
  };
  const asked = (url: string, cpuSeconds: () => Promise<number>) => {
    const server = new Asked(url, cpuSeconds);
    stopping.push(() => server.stop());
    return server;
  };
  try {
    const database = await startEmbeddedDatabase({
      dataDirectory: join(directory, 'database'),
      port: await freePort(),
      superuserPassword: randomBytes(16).toString('hex'),
    });
    stopping.push(() => database.stop());
    const environment = { ...addresses, ...databaseUrls(database.adminUrl), LOG_LEVEL: 'warn' };
    for (const words of [['database', 'prepare'], ['migrate'], ['content', 'sync', pathOf('content')]]) {
      const operation = [pathOf('dist/src/cli.js'), ...words];
      await promisify(execFile)(process.execPath, operation, { env: environment });
    }
    const [port, managementPort] = [await freePort(), await freePort()];
    const management = `http://127.0.0.1:${managementPort}`;
    const listening = { HOST: '127.0.0.1', PORT: String(port), MANAGEMENT_PORT: String(managementPort) };
    // It writes its log as in production: a line for each request.
    await run(
      pathOf('dist/src/main.js'),
      { ...environment, ...listening, LOG_LEVEL: 'info', SHUTDOWN_DRAIN_SECONDS: '0' },
      `${management}/readyz`,
    );
    return {
      website: asked(`http://127.0.0.1:${port}`, () => cpuSecondsFrom(`${management}/metrics`)),
      async startFloor(answers) {
        const file = join(directory, 'answers.json');
        await writeFile(file, JSON.stringify(answers));
        const url = `http://127.0.0.1:${await freePort()}`;
        const program = pathOf('website-floor.ts', new URL(import.meta.url));
        await run(program, { PORT: new URL(url).port, ANSWERS: file }, `${url}/cpu`);
        return asked(
          url,
          async () => ((await (await fetch(`${url}/cpu`)).json()) as { seconds: number }).seconds,
        );
      },
      stop,
    };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

const addresses = {
  SITE_URL: 'https://site.example',
  DOCS_URL: 'https://docs.example',
  FLEET_URL: 'https://fleet.example',
  ACCOUNT_URL: 'https://account.example',
  CONTACT_EMAIL: 'hello@site.example',
};

function databaseUrls(administratorUrl: string): Record<string, string> {
  const urlOf = (role: string) => {
    const url = new URL(administratorUrl);
    url.username = role;
    url.password = randomBytes(16).toString('hex');
    return url.href;
  };
  return {
    ADMINISTRATOR_DATABASE_URL: administratorUrl,
    OWNER_DATABASE_URL: urlOf('website_owner'),
    DATABASE_URL: urlOf('website_api'),
  };
}

async function cpuSecondsFrom(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  const value = /^process_cpu_seconds_total(?:\{.*\})? ([\d.e+-]+)/m.exec(metrics)?.[1];
  if (value === undefined) throw new Error('the service does not say what CPU time it used');
  return Number(value);
}

async function untilReady(url: string, program: string): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return;
    if (Date.now() > deadline) throw new Error(`${program} did not become ready within 2 minutes`);
    await sleep(50);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
