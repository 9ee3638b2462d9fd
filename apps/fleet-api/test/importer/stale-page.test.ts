import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, Metrics } from '@gpu-observatory/service-runtime/monitoring';
import { ConcurrencyLimiter } from '../../src/model/concurrency-limiter.ts';
import { XidCatalog } from '../../src/model/health/xid-catalog.ts';
import { RecordReader } from '../../src/importer/records/record-reader.ts';
import { CollectorMetrics } from '../../src/importer/scrape/collector-metrics.ts';
import { EndpointScraper } from '../../src/importer/scrape/endpoint-scraper.ts';
import { ScrapeWriter } from '../../src/importer/scrape/scrape-writer.ts';
import { ImportDatabase } from '../../src/importer/write/import-database.ts';
import { createFleetDatabase } from '../support/fleet-database.ts';
import { rowsOf } from '../support/fleet-tables.ts';

test.each([
  ['does not store a page with power that has not changed for five minutes', 'DCGM_FI_DEV_POWER_USAGE', true],
  ['stores a page without power and energy, such as that of an idle vGPU', 'DCGM_FI_DEV_SM_CLOCK', false],
])('%s', async (_title, series, isStale) => {
  const fleet = await createFleetDatabase();
  const database = await ImportDatabase.open(fleet.importerUrl, XidCatalog.read());
  let celsius = 40;
  const server = createServer((_request, response) => {
    const gpu = '{UUID="GPU-1",Hostname="n"}';
    response.end(`DCGM_FI_DEV_GPU_TEMP${gpu} ${celsius}\n${series}${gpu} 300\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const messages: string[] = [];
  const log = (_about: object, message: string) => void messages.push(message);
  const end = new AbortController();
  // Fakes only the clock, to skip five minutes.
  jest.useFakeTimers({
    doNotFake: [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'setImmediate',
      'nextTick',
      'queueMicrotask',
      'performance',
    ],
  });
  try {
    const metrics = new Metrics('test');
    const isUp = async () =>
      /^fleet_scrape_target_up\{.*\} (\d)$/m.exec(await metrics.registry.metrics())?.[1];
    const scraper = new EndpointScraper(
      {
        name: 'the exporter',
        url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`),
        address: null,
      },
      {
        everySeconds: 1,
        credentials: {},
        timeoutSeconds: 1,
        reader: new RecordReader({ customerId: 1, workspaceId: 10, apiKeyId: null }),
        writer: new ScrapeWriter(database, 1),
        pages: new ConcurrencyLimiter(1),
        metrics: new CollectorMetrics(metrics),
        xidCatalog: XidCatalog.read(),
        logger: { info: log, warn: log, debug: log, error: log } as unknown as Logger,
      },
    );
    const ended = scraper.run(0, end.signal);
    const samples = () =>
      rowsOf<{ temperature_c: number }>(
        fleet.administratorUrl,
        'SELECT temperature_c FROM fleet.gpu_samples ORDER BY at',
      );
    const until = async (isTrue: () => Promise<boolean> | boolean) => {
      while (!(await isTrue())) await sleep(20);
    };
    await until(async () => (await samples()).length === 1);
    expect(await isUp()).toBe('1');
    jest.setSystemTime(Date.now() + 301_000);
    if (!isStale) {
      await until(async () => (await samples()).length >= 2);
      expect(await isUp()).toBe('1');
      end.abort();
      await ended;
      expect(messages).toEqual([]);
      return;
    }
    await until(() => messages.includes('page does not change, so it is not stored'));
    await until(async () => (await isUp()) === '0');
    expect(await samples()).toHaveLength(1);
    celsius = 41;
    jest.setSystemTime(Date.now() + 2_000);
    await until(async () => (await samples()).length === 2);
    expect(await isUp()).toBe('1');
    expect((await samples()).map(({ temperature_c }) => temperature_c)).toEqual([40, 41]);
    expect(messages).toEqual(['page does not change, so it is not stored', 'page changes again']);
    end.abort();
    await ended;
  } finally {
    jest.useRealTimers();
    server.close().closeAllConnections();
    await database.close();
    await fleet.drop();
  }
});
