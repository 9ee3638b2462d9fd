import type { RecordKind } from '../records/record-schemas.ts';
import type { Attributed, ImportRecord } from '../records/records.ts';
import { AlertCounts } from './alert-counts.ts';
import { AlertStateWriter } from './alert-state-writer.ts';
import { AlertWriter } from './alert-writer.ts';
import { type Batch, type BatchEntry, Outcomes } from './batch.ts';
import { GpuCache } from './gpu-cache.ts';
import type { ImportConnection } from './import-connection.ts';
import { Partitions } from './partitions.ts';
import { MetricDays } from './rollups/metric-days.ts';
import { EntityCounts } from './rollups/entity-counts.ts';
import { TelemetryWriter } from './telemetry-writer.ts';
import { HostWriter } from './entities/host-writer.ts';
import { applyEntityRecords } from './entities/entity-writer.ts';
import { EntityCache } from './entities/entity-cache.ts';
import { writeTimelineEvents } from './timeline-writer.ts';
import { writeWorkspaces } from './workspace-writer.ts';

/**
 * Writes batches, each whole or not at all.
 *
 * A batch begins by taking its customer's next position: the row's lock puts the batches of a customer one after the
 * other, so `seq` follows the order of commits, and rollups may be read, changed and written back without a race. A batch
 * that brought nothing new is rolled back: the position, and with it every validator made from it, stays as it was.
 */
export class BatchWriter {
  private readonly partitions: Partitions;
  /** What is in memory, by customer, with the position up to which it is what the database holds. */
  private readonly caches = new Map<number, { seq: number; states: GpuCache; things: EntityCache }>();

  constructor(private readonly connection: ImportConnection) {
    this.partitions = new Partitions(connection);
  }

  async write(batch: Batch): Promise<Outcomes> {
    const outcomes = new Outcomes();
    const entries = await this.partitions.ensure(batch.entries, outcomes);
    if (entries.length === 0) return outcomes;
    await this.connection.query('BEGIN');
    try {
      const changed = await this.writeInTransaction({ ...batch, entries }, outcomes);
      await this.connection.query(changed ? 'COMMIT' : 'ROLLBACK');
      if (!changed) this.caches.delete(batch.customerId);
      return outcomes;
    } catch (failure) {
      this.caches.delete(batch.customerId);
      await this.connection.query('ROLLBACK').catch(() => undefined); // the first failure is the one to tell
      throw failure;
    }
  }

  private async writeInTransaction(batch: Batch, outcomes: Outcomes): Promise<boolean> {
    const { customerId, entries } = batch;
    const seq = await this.nextSeq(customerId);
    if (batch.scrape && !(await this.isNewScrape(customerId, batch.scrape))) {
      for (const entry of entries) outcomes.known(entry);
      return false;
    }
    const { states: gpuStates, things } = this.cacheAt(customerId, seq);
    const of = entriesByKind(entries);
    await gpuStates.load(
      [...of('gpu'), ...of('gpu_day'), ...of('gpu_sample'), ...of('xid_event'), ...of('gpu_process')].map(
        ({ record }) => record.gpu_id,
      ),
    );
    const rollups = { days: new MetricDays(), things };
    const thingCounts = new EntityCounts();
    const telemetry = new TelemetryWriter(this.connection, customerId, gpuStates, rollups, outcomes);
    const hosts = new HostWriter(this.connection, customerId, rollups, outcomes);
    const counts = new AlertCounts();
    const alerts = new AlertWriter(this.connection, customerId, seq, counts, rollups, outcomes);
    const alertStates = new AlertStateWriter(this.connection, customerId, seq, counts, outcomes);

    await writeWorkspaces(this.connection, customerId, of('workspace'), outcomes);
    telemetry.inventory(of('gpu'));
    await telemetry.days(of('gpu_day'));
    await telemetry.readings(of('gpu_sample', 'xid_event'));
    await gpuStates.write(thingCounts);
    await telemetry.processes(of('gpu_process'));
    await hosts.days(of('host_day'));
    await hosts.samples(of('host_sample'));
    await applyEntityRecords(things, of('host', 'container', 'vm', 'process', 'agent_session'), outcomes);
    await alerts.alerts(of('alert'));
    await writeTimelineEvents(this.connection, customerId, of('timeline_event'), alerts.written, outcomes);
    await alertStates.states(of('alert_state'));
    await counts.write(this.connection, customerId);
    await things.write(thingCounts);
    await thingCounts.write(this.connection, customerId);
    await rollups.days.write(this.connection, customerId);
    return outcomes.written > 0;
  }

  /** Takes the customer's next position, and its lock until the transaction ends. */
  private async nextSeq(customerId: number): Promise<number> {
    const [row] = await this.connection.query<{ seq: number }>(
      `INSERT INTO fleet.data_versions AS position (customer_id, seq, imported_at) VALUES ($1, 1, now())
       ON CONFLICT (customer_id) DO UPDATE SET seq = position.seq + 1, imported_at = clock_timestamp()
       RETURNING seq`,
      [customerId],
    );
    return (row as { seq: number }).seq;
  }

  private cacheAt(customerId: number, seq: number): { states: GpuCache; things: EntityCache } {
    const before = this.caches.get(customerId);
    const remembered =
      before?.seq === seq - 1
        ? { ...before, seq }
        : {
            seq,
            states: new GpuCache(this.connection, customerId),
            things: new EntityCache(this.connection, customerId),
          };
    this.caches.set(customerId, remembered);
    return remembered;
  }

  private async isNewScrape(
    customerId: number,
    scrape: { workspaceId: number; digest: Buffer },
  ): Promise<boolean> {
    const rows = await this.connection.query(
      `INSERT INTO fleet.import_digests (customer_id, workspace_id, digest, imported_at) VALUES ($1, $2, $3, now())
       ON CONFLICT (customer_id, workspace_id, digest) DO NOTHING RETURNING customer_id`,
      [customerId, scrape.workspaceId, scrape.digest],
    );
    return rows.length > 0;
  }
}

type EntriesOf = <K extends RecordKind>(
  ...kinds: K[]
) => BatchEntry<Attributed<Extract<ImportRecord, { kind: K }>>>[];

/** The entries of one kind or of several, in the order they came. */
function entriesByKind(entries: BatchEntry[]): EntriesOf {
  const present = new Set(entries.map(({ record }) => record.kind));
  return ((...kinds: RecordKind[]) =>
    kinds.some((kind) => present.has(kind))
      ? entries.filter(({ record }) => kinds.includes(record.kind))
      : []) as EntriesOf;
}
