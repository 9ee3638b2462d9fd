import type { Database } from './database/database.ts';
import type { Readiness } from './health/readiness.ts';
import type { Logger } from './logging/logger.ts';
import type { WriteBuffer } from './http/write-buffer.ts';
import type { Metrics } from './metrics/metrics.ts';

/** Process-wide objects that the modules of a service receive. */
export interface Runtime {
  logger: Logger;
  readiness: Readiness;
  metrics: Metrics;
  database: Database;
  writeBuffer: WriteBuffer;
}
