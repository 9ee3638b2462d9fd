import {
  createLogger,
  createManagementServer,
  type Logger,
  Metrics,
  Readiness,
  shutDownGracefully,
} from '@gpu-observatory/service-runtime/monitoring';
import { readSettings, serviceSettings } from '@gpu-observatory/service-runtime/process';
import { readImporterConfig } from '../../config/importer.config.ts';
import { ConcurrencyLimiter } from '../../model/concurrency-limiter.ts';
import { XidCatalog } from '../../model/health/xid-catalog.ts';
import { RecordReader } from '../records/record-reader.ts';
import { ImportDatabase } from '../write/import-database.ts';
import { recordWorkspaceName } from '../write/workspace-name.ts';
import { Collector } from './collector.ts';
import type { CredentialFiles } from './credentials.ts';
import { CollectorMetrics } from './collector-metrics.ts';
import { ScrapeWriter } from './scrape-writer.ts';
import type { Target } from './target.ts';

interface CollectorOptions {
  targets: Target[];
  everySeconds: number;
  timeoutSeconds: number;
  customerId: number;
  workspaceId: number;
  workspaceName: string | null;
  apiKeyId: number | null;
  credentials: CredentialFiles;
}

const NAME = 'fleet-collector';
/** Maximum number of pages that are read concurrently. Each is in memory as a whole. */
const CONCURRENT_PAGES = 8;
/** Time to write the last pages after SIGTERM. */
const MAX_WRITE_MS = 10_000;

/** Scrapes until SIGTERM or SIGINT, and reconnects to the database when the connection breaks. */
export async function runCollector(options: CollectorOptions): Promise<void> {
  const { HOST, MANAGEMENT_PORT, LOG_LEVEL } = serviceSettings;
  const settings = readSettings({ HOST, MANAGEMENT_PORT, LOG_LEVEL }, process.env);
  const { databaseUrl, xidTableFile } = readImporterConfig(process.env);
  const xidCatalog = XidCatalog.read(xidTableFile);
  const logger = createLogger(NAME, settings.LOG_LEVEL);
  const readiness = new Readiness();
  const metrics = new Metrics(NAME);

  const database = await openObservedDatabase(databaseUrl, xidCatalog, { logger, readiness, metrics });
  const { targets, customerId, workspaceId, workspaceName, apiKeyId, everySeconds, timeoutSeconds } = options;
  if (workspaceName !== null)
    await recordWorkspaceName(database, { customerId, workspaceId, name: workspaceName });
  const collector = new Collector(targets, {
    everySeconds,
    timeoutSeconds,
    credentials: options.credentials,
    reader: new RecordReader({ customerId, workspaceId, apiKeyId }),
    writer: new ScrapeWriter(database, customerId),
    pages: new ConcurrencyLimiter(CONCURRENT_PAGES),
    metrics: new CollectorMetrics(metrics),
    xidCatalog,
    logger,
  });
  const management = createManagementServer(readiness, metrics);
  await management.listen({ host: settings.HOST, port: settings.MANAGEMENT_PORT });
  collector.start();
  const about = { targets: targets.map(({ name }) => name), everySeconds };
  logger.info({ ...about, management: management.listeningOrigin }, 'scraping');
  shutDownGracefully({
    readiness,
    logger,
    drainSeconds: 0,
    close: [
      async () => {
        const timeout = setTimeout(() => database.abort(), MAX_WRITE_MS);
        await collector.stop();
        clearTimeout(timeout);
      },
      () => management.close(),
      () => database.close(),
    ],
  });
}

/** Opens the database. The state of its connection is logged, exported as a metric, and required for readiness. */
async function openObservedDatabase(
  url: string,
  xidCatalog: XidCatalog,
  { logger, readiness, metrics }: { logger: Logger; readiness: Readiness; metrics: Metrics },
): Promise<ImportDatabase> {
  /** Reason that the database is unavailable; null while it is available. */
  let failure: string | null = null;
  const database = await ImportDatabase.open(url, xidCatalog, {
    onDisconnect: (reason) => {
      if (failure === null)
        logger.error({ reason }, 'database unavailable: scraping continues after a reconnect');
      failure = reason;
    },
    onReconnect: () => {
      failure = null;
      logger.info('database available');
    },
  });
  readiness.register('database', () => failure);
  metrics.gauge('database_available', '1 while the database is available.', () => (failure === null ? 1 : 0));
  return database;
}
