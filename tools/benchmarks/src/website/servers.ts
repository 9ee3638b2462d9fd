import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@gpu-observatory/embedded-database';
import { processCpuSeconds } from '../process-cpu.ts';
import { startProcess } from '../service-process.ts';
import { startTemporaryDatabase } from '../temporary-database.ts';
import { Client, type RecordedResponse } from './client.ts';

const website = new URL('../../../../apps/website-api/', import.meta.url);
const websitePath = (name: string) => fileURLToPath(new URL(name, website));
const lowerBoundProgram = fileURLToPath(new URL('lower-bound.ts', import.meta.url));

export interface Servers {
  website: Client;
  /** Starts plain Fastify with these responses in its memory. */
  startLowerBound(responses: RecordedResponse[]): Promise<Client>;
  stop(): Promise<void>;
}

/** Starts one process of the built website-api with the repository's posts and its own database. */
export async function startServers(): Promise<Servers> {
  await using started = new AsyncDisposableStack();
  const database = await startTemporaryDatabase(started);
  const environment = {
    SITE_URL: 'https://site.example',
    DOCS_URL: 'https://docs.example',
    FLEET_URL: 'https://fleet.example',
    ACCOUNT_URL: 'https://account.example',
    CONTACT_EMAIL: 'hello@site.example',
    ADMINISTRATOR_DATABASE_URL: database.adminUrl,
    OWNER_DATABASE_URL: database.roleUrl('website_owner'),
    DATABASE_URL: database.roleUrl('website_api'),
    LOG_LEVEL: 'warn',
  };
  for (const args of [['database', 'prepare'], ['migrate'], ['content', 'sync', websitePath('content')]]) {
    const command = [websitePath('dist/src/cli.js'), ...args];
    await promisify(execFile)(process.execPath, command, { env: environment });
  }
  const [port, managementPort] = [await freePort(), await freePort()];
  const managementUrl = `http://127.0.0.1:${managementPort}`;
  const service = await startProcess(websitePath('dist/src/main.js'), {
    url: `http://127.0.0.1:${port}`,
    readyUrl: `${managementUrl}/readyz`,
    environment: {
      ...environment,
      HOST: '127.0.0.1',
      PORT: String(port),
      MANAGEMENT_PORT: String(managementPort),
      // As in production: one log line per request.
      LOG_LEVEL: 'info',
      SHUTDOWN_DRAIN_SECONDS: '0',
    },
  });
  started.defer(() => service.stop());
  const running = started.move();
  const connect = (url: string, cpuSeconds: () => Promise<number>) => {
    const client = new Client(url, cpuSeconds);
    running.defer(() => client.stop());
    return client;
  };
  return {
    website: connect(service.url, () => processCpuSeconds(managementUrl)),
    async startLowerBound(responses) {
      const file = join(database.directory, 'responses.json');
      await writeFile(file, JSON.stringify(responses));
      const url = `http://127.0.0.1:${await freePort()}`;
      const server = await startProcess(lowerBoundProgram, {
        url,
        readyUrl: `${url}/cpu`,
        environment: { PORT: new URL(url).port, RESPONSES: file },
      });
      running.defer(() => server.stop());
      return connect(
        url,
        async () => ((await (await fetch(`${url}/cpu`)).json()) as { seconds: number }).seconds,
      );
    },
    stop: () => running.disposeAsync(),
  };
}
