import {
  createLogger,
  createManagementServer,
  Metrics,
  Readiness,
  readSettings,
  serviceSettings,
  shutDownGracefully,
} from '@gpu-observatory/service-runtime';
import { readImporterConfig } from '../../config/importer.config.ts';
import { overrideXids } from '../../model/health/xid-catalog.ts';
import { RecordReader } from '../records/record-reader.ts';
import { ImportDatabase } from '../write/import-database.ts';
import { Collector } from './collector.ts';
import { CollectorMetrics } from './collector-metrics.ts';
import { ScrapeWriter } from './scrape-writer.ts';
import { Slots } from './slots.ts';
import type { Target } from './target.ts';

export interface CollectorOptions {
  targets: Target[];
  everySeconds: number;
  timeoutSeconds: number;
  customerId: number;
  workspaceId: number;
  apiKeyId: number | null;
}

const NAME = 'fleet-collector';
/** Pages that are read at the same time: each is in memory as a whole. */
const PAGES_AT_ONCE = 8;
/** What SIGTERM leaves for the database. */
const PATIENCE_MS = 10_000;

/** Scrapes until SIGTERM or SIGINT; the database may go away and come back meanwhile. */
export async function runCollector(options: CollectorOptions): Promise<void> {
  const {
    HOST: host,
    MANAGEMENT_PORT: port,
    LOG_LEVEL: level,
  } = readSettings(
    {
      HOST: serviceSettings.HOST,
      MANAGEMENT_PORT: serviceSettings.MANAGEMENT_PORT,
      LOG_LEVEL: serviceSettings.LOG_LEVEL,
    },
    process.env,
  );
  const { databaseUrl, xidTableFile } = readImporterConfig(process.env);
  overrideXids(xidTableFile);
  const logger = createLogger(NAME, level);
  const readiness = new Readiness();
  const metrics = new Metrics(NAME);

  let away: string | null = null;
  const database = await ImportDatabase.open(databaseUrl, {
    onDisconnect: (reason) => {
      if (away === null) logger.error({ reason }, 'the database is away: scrapes wait');
      away = reason;
    },
    onReconnect: () => {
      away = null;
      logger.info('the database is back');
    },
  });
  readiness.register('database', () => away);
  metrics.gauge('database_available', '1 while the database answers.', () => (away === null ? 1 : 0));

  const { targets, customerId, workspaceId, apiKeyId, everySeconds, timeoutSeconds } = options;
  const collector = new Collector(targets, {
    everySeconds,
    timeoutSeconds,
    reader: new RecordReader({ customerId, workspaceId, apiKeyId }),
    writer: new ScrapeWriter(database, customerId),
    slots: new Slots(PAGES_AT_ONCE),
    metrics: new CollectorMetrics(metrics),
    logger,
  });
  const management = createManagementServer(readiness, metrics);
  await management.listen({ host, port });
  collector.start();
  const about = { targets: targets.map(({ name }) => name), everySeconds };
  logger.info({ ...about, management: management.listeningOrigin }, 'scraping');
  shutDownGracefully({
    readiness,
    logger,
    drainSeconds: 0,
    close: [
      async () => {
        const patience = setTimeout(() => database.abort(), PATIENCE_MS);
        await collector.stop();
        clearTimeout(patience);
      },
      () => management.close(),
      () => database.close(),
    ],
  });
}
