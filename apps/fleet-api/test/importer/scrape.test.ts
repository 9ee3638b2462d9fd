import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { scrapeCommand } from '../../src/importer/scrape/scrape.command.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { createFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/src/cli.js', import.meta.url));
type LogLine = Record<string, unknown> & { msg: string };

let database: FleetDatabase;
const servers: Server[] = [];
beforeAll(async () => {
  database = await createFleetDatabase();
});
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await database.drop();
});

/** An exporter of one GPU: its temperature rises by one with each scrape. */
async function startExporter(uuid: string, respond?: (response: ServerResponse, scrapes: number) => void) {
  let scrapes = 0;
  const server = createServer((_request, response) => {
    scrapes += 1;
    if (respond) respond(response, scrapes);
    else response.end(page(uuid, 40 + scrapes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    scrapes: () => scrapes,
  };
}
const page = (uuid: string, celsius: number) =>
  [
    `DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="${uuid}",modelName="NVIDIA H100",Hostname="n"} ${celsius}`,
    `DCGM_FI_DEV_NEW_COUNTER{gpu="0",UUID="${uuid}",modelName="NVIDIA H100",Hostname="n"} 3`,
    '',
  ].join('\n');

function* endlessLines() {
  for (;;) yield `${'x'.repeat(1024 * 1024)}\n`;
}

interface Collector {
  child: ChildProcess;
  logs: LogLine[];
  /** Waits for a log line of the collector. */
  waitForLog(msg: string, about?: (line: LogLine) => boolean): Promise<LogLine>;
  management(path: string): Promise<{ status: number; text: string }>;
  end(): Promise<number | null>;
}

function startCollector(
  args: string[],
  { importerUrl = database.importerUrl, every = '1s' } = {},
): Collector {
  const child = spawn(
    process.execPath,
    [PROGRAM, 'scrape', '--every', every, '--customer', '1', '--workspace', '10', ...args],
    {
      env: {
        PATH: process.env.PATH,
        IMPORTER_DATABASE_URL: importerUrl,
        HOST: '127.0.0.1',
        MANAGEMENT_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  // Emitted after the last line is read, unlike exit.
  const closed = once(child, 'close');
  const logs: LogLine[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => logs.push(JSON.parse(line) as LogLine));
  const waitForLog: Collector['waitForLog'] = async (msg, about = () => true) => {
    for (;;) {
      const found = logs.find((line) => line.msg === msg && about(line));
      if (found) return found;
      expect(child.exitCode).toBeNull();
      await sleep(50);
    }
  };
  return {
    child,
    logs,
    waitForLog,
    management: async (path) => {
      const response = await fetch(`${String((await waitForLog('scraping')).management)}${path}`);
      return { status: response.status, text: await response.text() };
    },
    end: async () => {
      child.kill('SIGTERM');
      return (await closed)[0] as number | null;
    },
  };
}
const samples = (gpuId: string) =>
  rowsOf<{ at: Date; temperature_c: number }>(
    database.administratorUrl,
    `SELECT at, temperature_c FROM fleet.gpu_samples WHERE gpu_id = '${gpuId}' ORDER BY at`,
  );
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}

test('an exporter that is down, hangs or is invalid does not affect others', async () => {
  const good = await startExporter('GPU-good');
  const hanging = await startExporter('GPU-hanging', () => undefined);
  const page_ = await startExporter('', (response) => response.end('<html>hello</html>'));
  const other = await startExporter('', (response) => response.end('node_load1 0.5\n'));
  const endless = await startExporter('', (response) => {
    const lines = Readable.from(endlessLines());
    response.on('close', () => lines.destroy());
    lines.pipe(response);
  });
  const returning = await startExporter('GPU-returning', (response, scrapes) =>
    scrapes === 1 ? response.writeHead(503).end() : response.end(page('GPU-returning', 50 + scrapes)),
  );
  const targets = [
    `${good.url}/metrics`,
    `${hanging.url}/metrics`,
    page_.url,
    other.url,
    endless.url,
    'http://127.0.0.1:1/metrics',
    `dns+${returning.url.replace('127.0.0.1', 'localhost')}`,
  ];
  const startedAt = Date.now();
  // Long enough for a process that has just started on a busy machine.
  const collector = startCollector(
    [...targets.flatMap((target) => ['--target', target]), '--workspace-name', 'Lab'],
    { every: '3s' },
  );
  try {
    const down = async (target: string, reason: RegExp) =>
      expect((await collector.waitForLog('target is down', (line) => line.target === target)).reason).toMatch(
        reason,
      );
    // On a busy machine, a response of any size may take as long as the hanging one.
    await down(`${hanging.url}/metrics`, /^no page within 3 s$/);
    await down(page_.url, /^the page has no series of a known exporter but looks like HTML$/);
    await down(other.url, /looks like node_exporter/);
    await down(endless.url, /^(the page is longer than 16777216 bytes|no page within 3 s)$/);
    await down('http://127.0.0.1:1/metrics', /ECONNREFUSED/);
    const name = `${targets.at(-1)} (127.0.0.1)`;
    await down(name, /^(HTTP status 503|no page within 3 s)$/);
    await collector.waitForLog('target is back', (line) => line.target === name);

    await until(
      async () => (await samples('GPU-good')).length >= 3 && (await samples('GPU-returning')).length >= 1,
    );
    const [first, ...later] = await samples('GPU-good');
    // A busy machine may skip a scrape, but never stores one twice.
    const celsius = [first, ...later].map((sample) => sample?.temperature_c ?? 0);
    expect(celsius).toEqual([...new Set(celsius)].sort((a, b) => a - b));
    expect(first?.at.getTime()).toBeGreaterThanOrEqual(startedAt);
    expect(
      await rowsOf(
        database.administratorUrl,
        `SELECT workspace_id, report_interval_seconds FROM fleet.gpus WHERE gpu_id = 'GPU-good'`,
      ),
    ).toEqual([{ workspace_id: 10, report_interval_seconds: 3 }]);

    expect(
      await rowsOf(database.administratorUrl, 'SELECT workspace_id, name FROM fleet.workspaces'),
    ).toEqual([{ workspace_id: 10, name: 'Lab' }]);

    expect((await collector.management('/livez')).status).toBe(200);
    expect((await collector.management('/readyz')).status).toBe(200);
    const { text } = await collector.management('/metrics');
    expect(text).toContain(
      `fleet_scrape_target_up{target="${good.url}/metrics",service="fleet-collector"} 1`,
    );
    expect(text).toContain(
      `fleet_scrape_target_up{target="${hanging.url}/metrics",service="fleet-collector"} 0`,
    );
    expect(text).toMatch(/fleet_scrapes_total\{result="stored",service="fleet-collector"\} \d+/);
    // Metrics that are not stored are not logged.
    expect(collector.logs.filter(({ msg }) => msg === 'lines rejected')).toEqual([]);
  } finally {
    expect(await collector.end()).toBe(0);
  }
  expect(collector.logs.slice(-3)).toEqual(
    expect.arrayContaining([expect.objectContaining({ msg: 'closed' })]),
  );
});

test('keeps scraped pages while the database is unavailable', async () => {
  const proxy = await startDatabaseProxy(database.importerUrl);
  const exporter = await startExporter('GPU-resumed');
  const collector = startCollector(['--target', exporter.url], { importerUrl: proxy.url });
  try {
    await until(async () => (await samples('GPU-resumed')).length >= 1);
    proxy.cut();
    await collector.waitForLog('database unavailable: scraping continues after a reconnect');
    expect((await collector.management('/readyz')).status).toBe(503);
    expect((await collector.management('/livez')).status).toBe(200);
    // No page is scraped until the one that could not be stored is stored.
    const scraped = exporter.scrapes();
    await sleep(1_500);
    expect(exporter.scrapes()).toBe(scraped);
    proxy.restore();
    await collector.waitForLog('database available');
    await until(async () =>
      (await samples('GPU-resumed')).some(({ temperature_c }) => temperature_c === 40 + scraped),
    );
    await until(async () =>
      (await samples('GPU-resumed')).some(({ temperature_c }) => temperature_c > 40 + scraped),
    );
  } finally {
    expect(await collector.end()).toBe(0);
    await proxy.stop();
  }
});

test.each([
  [['--target', 'node-1:9400'], /It must be a URL such as http:\/\/node-1:9400\/metrics/],
  [['--target', 'http://a:b@node-1:9400'], /without credentials/],
  [['--target', 'http://n:9400', '--target', 'http://n:9400'], /Each target must be unique/],
  [['--target', 'http://n:9400', '--every', '0s'], /It must be from 1s to 1h/],
  [['--target', 'http://n:9400', '--timeout', '20s'], /--timeout \(20 s\) must be at most --every \(15 s\)/],
  [[], /required option '--target <url>' not specified/],
])('rejects %j', async (args, message) => {
  const command = scrapeCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  const run = command.parseAsync(['--customer', '1', '--workspace', '1', ...args], { from: 'user' });
  await expect(run).rejects.toThrow(message);
});
