import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import type { RecordKind } from '../records/record-schemas.ts';
import type { Attributed, ImportRecord } from '../records/records.ts';
import { AlertStateWriter } from './alert-state-writer.ts';
import { AlertTable } from './alert-table.ts';
import { AlertWords, StoredWords } from './alert-words.ts';
import { AlertWriter } from './alert-writer.ts';
import { type Batch, type BatchEntry, Outcomes } from './batch.ts';
import type { BatchContext } from './batch-context.ts';
import { GpuCache } from './gpu-cache.ts';
import type { ImportConnection } from './import-connection.ts';
import { Partitions } from './partitions.ts';
import { entriesOfNewScrapes } from './new-scrapes.ts';
import { MetricDayBatch } from './rollups/metric-days.ts';
import { EntityCounts } from './rollups/entity-counts.ts';
import { segmentsOf } from './segments.ts';
import { TelemetryWriter } from './telemetry-writer.ts';
import type { TimelineXid } from './xid-alert.ts';
import { HostWriter } from './entities/host-writer.ts';
import { applyEntityRecords } from './entities/entity-writer.ts';
import { EntityCache } from './entities/entity-cache.ts';
import { insertTimelineEvents, writeTimelineEvents } from './timeline-writer.ts';
import { writeWorkspaces } from './workspace-writer.ts';

/** Kinds of records that change only alerts and their rollups. Responses with these rollups depend on the version of alerts. */
const ALERT_KINDS = ['alert', 'alert_state', 'timeline_event'] as const;

/** Kinds of records of a GPU. */
const GPU_KINDS = ['gpu', 'gpu_day', 'gpu_sample', 'xid_event', 'gpu_process', 'gpu_workload'] as const;

/** Increments the sequence number of a customer in `fleet.data_versions`, and locks the row. */
const NEXT_SEQ = `INSERT INTO fleet.data_versions AS stored (customer_id, seq, imported_at) VALUES ($1, 1, clock_timestamp())
  ON CONFLICT (customer_id) DO UPDATE SET seq = stored.seq + 1, imported_at = excluded.imported_at
  RETURNING seq`;

/** Sets the versions of alerts ($2) and telemetry ($3) in `fleet.data_versions` to the sequence number, by customer. */
const RECORD_VERSIONS = `UPDATE fleet.data_versions SET
    alerts_seq = CASE WHEN $2 THEN seq ELSE alerts_seq END,
    alerts_at = CASE WHEN $2 THEN imported_at ELSE alerts_at END,
    telemetry_seq = CASE WHEN $3 THEN seq ELSE telemetry_seq END,
    telemetry_at = CASE WHEN $3 THEN imported_at ELSE telemetry_at END
  WHERE customer_id = $1`;

/**
 * Writes batches atomically.
 *
 * A batch begins by incrementing the sequence number of its customer. The row lock serializes the batches of a customer, so
 * `seq` follows the commit order, and rollups can be read, changed and written back without a race. A batch without new data
 * is rolled back: the data version, and every ETag derived from it, stays the same.
 */
export class BatchWriter {
  private readonly partitions: Partitions;
  /** Caches by customer. A cache has the state after the batch with its sequence number. */
  private readonly caches = new Map<number, { seq: number; gpus: GpuCache; entities: EntityCache }>();
  private readonly storedWords = new StoredWords();

  constructor(
    private readonly connection: ImportConnection,
    private readonly xidCatalog: XidCatalog,
  ) {
    this.partitions = new Partitions(connection);
  }

  async write(batch: Batch): Promise<Outcomes> {
    const outcomes = new Outcomes();
    const entries = await this.partitions.ensure(batch.entries, outcomes);
    if (entries.length === 0) return outcomes;
    const words = new AlertWords(batch.customerId, this.storedWords);
    await this.connection.query('BEGIN');
    try {
      const changed = await this.writeInTransaction({ ...batch, entries }, outcomes, words);
      await this.connection.query(changed ? 'COMMIT' : 'ROLLBACK');
      if (changed) words.afterCommit();
      else this.caches.delete(batch.customerId);
      return outcomes;
    } catch (failure) {
      this.caches.delete(batch.customerId);
      await this.connection.query('ROLLBACK').catch(() => undefined); // the first error is the one to report
      throw failure;
    }
  }

  /**
   * Writes the records kind by kind: readings after the inventory that they are compared with, alerts after the XIDs that raise
   * some, timeline events and states after their alerts, and rollups at the end.
   *
   * @returns whether there was new data
   */
  private async writeInTransaction(batch: Batch, outcomes: Outcomes, words: AlertWords): Promise<boolean> {
    const { customerId } = batch;
    const seq = await this.nextSeq(customerId);
    const entries = await entriesOfNewScrapes(this.connection, batch, outcomes);
    if (entries.length === 0) return false;
    const { gpus, entities } = this.cacheAt(customerId, seq);
    const entriesOf = entriesByKind(entries);
    await gpus.load(entriesOf(...GPU_KINDS).map(({ record }) => record.gpu_id));
    const { connection, xidCatalog } = this;
    const metricDays = new MetricDayBatch();
    const context = { connection, customerId, seq, gpus, entities, metricDays, outcomes, xidCatalog };
    const entityCounts = new EntityCounts();
    const alertTable = new AlertTable(context, words);
    const alerts = new AlertWriter(context, alertTable);
    const alertStates = new AlertStateWriter(context, alertTable);

    await writeWorkspaces(context, entriesOf('workspace'));
    const xids: TimelineXid[] = [];
    for (const segment of segmentsOf(entries, gpus))
      xids.push(...(await writeSegment(context, entriesByKind(segment), entityCounts)));
    await applyEntityRecords(context, entriesOf('host', 'container', 'vm', 'process', 'agent_session'));
    await alerts.writeAlerts(entriesOf('alert'));
    await alerts.applyXidEffects(xids);
    await insertTimelineEvents(context, xids, alerts.written);
    await writeTimelineEvents(context, entriesOf('timeline_event'), alerts.written);
    await alertStates.writeStates(entriesOf('alert_state'));
    await alertTable.writeCountsAndWords();
    await entities.write(entityCounts);
    await entityCounts.write(connection, customerId);
    await metricDays.write(connection, customerId);
    const aboutAlerts = entriesOf(...ALERT_KINDS);
    const changesAlerts = aboutAlerts.length > 0 || xids.length > 0;
    const changesTelemetry = aboutAlerts.length < entries.length;
    await connection.query(RECORD_VERSIONS, [customerId, changesAlerts, changesTelemetry]);
    return outcomes.writtenCount > 0;
  }

  /** Increments the sequence number of the customer, and locks its row until the transaction ends. */
  private async nextSeq(customerId: number): Promise<number> {
    const [row] = await this.connection.query<{ seq: number }>(NEXT_SEQ, [customerId]);
    return (row as { seq: number }).seq;
  }

  /** Returns the cache of a customer, or an empty one if another session has written since. */
  private cacheAt(customerId: number, seq: number): { gpus: GpuCache; entities: EntityCache } {
    const before = this.caches.get(customerId);
    const cache =
      before?.seq === seq - 1
        ? { ...before, seq }
        : {
            seq,
            gpus: new GpuCache(this.connection, customerId),
            entities: new EntityCache(this.connection, customerId),
          };
    this.caches.set(customerId, cache);
    return cache;
  }
}

/** Writes the telemetry of a segment. @returns the XIDs with an alert */
async function writeSegment(
  context: BatchContext,
  entriesOf: EntriesOf,
  entityCounts: EntityCounts,
): Promise<TimelineXid[]> {
  const telemetry = new TelemetryWriter(context);
  const hosts = new HostWriter(context);
  telemetry.applyInventories(entriesOf('gpu'));
  await telemetry.writeDays(entriesOf('gpu_day'));
  const xids = await telemetry.writeReadings(entriesOf('gpu_sample', 'xid_event'));
  await context.gpus.write(entityCounts);
  await telemetry.writeProcesses(entriesOf('gpu_process'));
  await telemetry.writeWorkloads(entriesOf('gpu_workload'));
  await hosts.writeDays(entriesOf('host_day'));
  await hosts.writeSamples(entriesOf('host_sample'));
  return xids;
}

/** An entry of one of the kinds. */
type EntryOf<K extends RecordKind> = K extends RecordKind
  ? BatchEntry<Attributed<Extract<ImportRecord, { kind: K }>>>
  : never;
type EntriesOf = <K extends RecordKind>(...kinds: K[]) => EntryOf<K>[];

/** Returns a function that selects the entries of kinds, in their order. */
function entriesByKind(entries: BatchEntry[]): EntriesOf {
  const byKind = Map.groupBy(entries, ({ record }) => record.kind);
  return ((...kinds: RecordKind[]) => {
    const [first, ...others] = kinds.filter((kind) => byKind.has(kind));
    if (first === undefined) return [];
    if (others.length === 0) return byKind.get(first);
    return entries.filter(({ record }) => kinds.includes(record.kind));
  }) as EntriesOf;
}
