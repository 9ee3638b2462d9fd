import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import type { Outcomes } from './batch.ts';
import type { EntityCache } from './entities/entity-cache.ts';
import type { GpuCache } from './gpu-cache.ts';
import type { ImportConnection } from './import-connection.ts';
import type { MetricDayBatch } from './rollups/metric-days.ts';

/** The transaction of one batch, and the state that the writers of its records share. */
export interface BatchContext {
  connection: ImportConnection;
  customerId: number;
  /** Import sequence number of the batch. */
  seq: number;
  gpus: GpuCache;
  entities: EntityCache;
  metricDays: MetricDayBatch;
  outcomes: Outcomes;
  xidCatalog: XidCatalog;
}
