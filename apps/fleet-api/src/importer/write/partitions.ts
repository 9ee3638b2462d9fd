import { MINUTE_MS } from '@gpu-observatory/domain-types';
import type { ImportRecord } from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import type { ImportConnection } from './import-connection.ts';

interface Partition {
  table: string;
  at: string;
  grain: 'month' | 'day';
}

/** Returns the partitioned tables that a record is written to, with the time that selects the partition. */
function partitionsOf(record: ImportRecord): Partition[] {
  switch (record.kind) {
    case 'gpu_sample': {
      const partitions: Partition[] = [
        { table: 'gpu_samples', at: record.at, grain: 'day' },
        { table: 'gpu_days', at: record.at, grain: 'month' },
        { table: 'gpu_day_sums', at: record.at, grain: 'month' },
      ];
      // A sample with an XID code may add an XID event.
      if (record.xid_last_code) partitions.push({ table: 'gpu_xid_events', at: record.at, grain: 'month' });
      return partitions;
    }
    case 'gpu_day':
      return ['gpu_days', 'gpu_day_sums'].map((table) => ({
        table,
        at: `${record.day}T00:00:00.000Z`,
        grain: 'month',
      }));
    case 'xid_event':
      return [{ table: 'gpu_xid_events', at: record.at, grain: 'month' }];
    case 'host_sample':
      return [
        { table: 'host_samples', at: record.at, grain: 'day' },
        { table: 'host_days', at: record.at, grain: 'month' },
      ];
    case 'host_day':
      return [{ table: 'host_days', at: `${record.day}T00:00:00.000Z`, grain: 'month' }];
    case 'alert':
      return ['alerts', 'alert_details', 'alert_words'].map((table) => ({
        table,
        at: record.created_at,
        grain: 'month',
      }));
    case 'timeline_event':
      return [{ table: 'alert_timeline_events', at: record.ts, grain: 'month' }];
    default:
      return [];
  }
}

/** Returns the time of a frequent record and a text that is equal for those with the same partitions. */
function partitionKey(record: ImportRecord): { at: string; key: string } | null {
  const of = (at: string, more = '') => ({ at, key: `${at.slice(0, 10)}${more}` });
  switch (record.kind) {
    case 'gpu_sample':
      return of(record.at, `${record.xid_last_code ? ' XID' : ''} ${record.raise_alert}`);
    case 'alert':
      return of(record.created_at);
    case 'timeline_event':
      return of(record.ts);
    default:
      return null;
  }
}

/** Returns the partitions of the alert that an XID may raise. */
function alertPartitionsOf(record: ImportRecord): Partition[] {
  if (record.kind !== 'xid_event' && record.kind !== 'gpu_sample') return [];
  if (!record.raise_alert || (record.kind === 'gpu_sample' && !record.xid_last_code)) return [];
  return ['alerts', 'alert_details', 'alert_words', 'alert_timeline_events'].map((table) => ({
    table,
    at: record.at,
    grain: 'month',
  }));
}

const OUTSIDE_RETENTION = '22008'; // datetime_field_overflow, raised by fleet.ensure_partition

/** Creates the partition of a table for a time unless it exists. Returns the start of retention. */
const ENSURE_PARTITION = 'SELECT fleet.ensure_partition($1, $2) AS earliest';

/** Much shorter than the grace period of retention, so that a cached partition still exists. */
const CACHE_MS = 10 * MINUTE_MS;

interface CheckedPartition {
  /** Time of the check: a stream may outlive a partition. */
  checkedAt: number;
  /** Records from this time on are within retention for as long as the check is valid. */
  acceptedFrom: string;
}

/** Creates missing partitions before the transaction of a batch: the DDL lock must not last as long as a batch. */
export class Partitions {
  private readonly checked = new Map<string, CheckedPartition>();

  constructor(private readonly connection: ImportConnection) {}

  /** @returns the entries within retention; the others are rejected, whatever other records the batch contains */
  async ensure(entries: BatchEntry[], outcomes: Outcomes): Promise<BatchEntry[]> {
    const accepted: BatchEntry[] = [];
    const last = new Map<string, { key: string; acceptedFrom: string }>();
    for (const entry of entries) {
      const { kind } = entry.record;
      // Most records are of the same day as the one of their kind before.
      const frequent = partitionKey(entry.record);
      const before = last.get(kind);
      if (frequent && frequent.key === before?.key && frequent.at >= before.acceptedFrom) {
        accepted.push(entry);
        continue;
      }
      last.delete(kind);
      const result = await this.check(partitionsOf(entry.record));
      if ('fault' in result) {
        outcomes.reject(entry, result.fault);
        continue;
      }
      accepted.push(entry);
      // Alerts may be kept for a shorter time than telemetry.
      const ofAlerts = await this.check(alertPartitionsOf(entry.record));
      if ('fault' in ofAlerts) Object.assign(entry.record, { raise_alert: false });
      else if (frequent) {
        const [, acceptedFrom] = [result.acceptedFrom, ofAlerts.acceptedFrom].sort();
        last.set(kind, { key: frequent.key, acceptedFrom: acceptedFrom as string });
      }
    }
    return accepted;
  }

  /** @returns the time from which all of the partitions accept records, or why one of them rejects this one */
  private async check(partitions: Partition[]): Promise<{ acceptedFrom: string } | { fault: string }> {
    let acceptedFrom = '';
    for (const { table, at, grain } of partitions) {
      const key = `${table} ${at.slice(0, grain === 'day' ? 10 : 7)}`;
      let partition = this.checked.get(key);
      if (
        partition === undefined ||
        at < partition.acceptedFrom ||
        performance.now() - partition.checkedAt >= CACHE_MS
      ) {
        const result = await this.create(table, at);
        if ('fault' in result) return result;
        partition = { checkedAt: performance.now(), ...result };
        this.checked.set(key, partition);
      }
      if (partition.acceptedFrom > acceptedFrom) acceptedFrom = partition.acceptedFrom;
    }
    return { acceptedFrom };
  }

  private async create(table: string, at: string): Promise<{ acceptedFrom: string } | { fault: string }> {
    try {
      const [row] = await this.connection.query<{ earliest: Date }>(ENSURE_PARTITION, [table, at]);
      // Retention starts within a partition, and later with time.
      const acceptedFromMs = (row as { earliest: Date }).earliest.getTime() + CACHE_MS;
      return { acceptedFrom: new Date(acceptedFromMs).toISOString() };
    } catch (failure) {
      if (failure instanceof Error && 'code' in failure && failure.code === OUTSIDE_RETENTION)
        return { fault: failure.message };
      throw failure;
    }
  }
}
