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
        at: `${record.day}T00:00:00Z`,
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
      return [{ table: 'host_days', at: `${record.day}T00:00:00Z`, grain: 'month' }];
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

/** Returns a text that is equal for records with the same partitions. */
function partitionKey(record: ImportRecord): string {
  switch (record.kind) {
    case 'gpu_sample':
      return `${record.kind} ${record.at.slice(0, 10)}${record.xid_last_code ? ' XID' : ''} ${record.raise_alert}`;
    case 'alert':
      return `${record.kind} ${record.created_at.slice(0, 10)}`;
    case 'timeline_event':
      return `${record.kind} ${record.ts.slice(0, 10)}`;
    default:
      return '';
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

/** Much shorter than the grace period of retention, so that a cached partition still exists. */
const CACHE_MS = 10 * MINUTE_MS;

/** Creates missing partitions before the transaction of a batch: the DDL lock must not last as long as a batch. */
export class Partitions {
  /** Existing partitions, by the time of the check: a stream may outlive a partition. */
  private readonly checked = new Map<string, number>();

  constructor(private readonly connection: ImportConnection) {}

  /** @returns the entries within retention; the others are rejected */
  async ensure(entries: BatchEntry[], outcomes: Outcomes): Promise<BatchEntry[]> {
    const accepted: BatchEntry[] = [];
    const last = new Map<string, string>();
    for (const entry of entries) {
      const { kind } = entry.record;
      // Most records are of the same day as the one of their kind before.
      const key = partitionKey(entry.record);
      if (key !== '' && key === last.get(kind)) {
        accepted.push(entry);
        continue;
      }
      last.delete(kind);
      const fault = await this.check(partitionsOf(entry.record));
      if (fault !== null) {
        outcomes.reject(entry, fault);
        continue;
      }
      accepted.push(entry);
      // Alerts may be kept for a shorter time than telemetry.
      const alertFault = await this.check(alertPartitionsOf(entry.record));
      if (alertFault !== null) Object.assign(entry.record, { raise_alert: false });
      else last.set(kind, key);
    }
    return accepted;
  }

  private async check(partitions: Partition[]): Promise<string | null> {
    for (const { table, at, grain } of partitions) {
      const key = `${table} ${at.slice(0, grain === 'day' ? 10 : 7)}`;
      if (performance.now() - (this.checked.get(key) ?? -Infinity) < CACHE_MS) continue;
      const fault = await this.create(table, at);
      // Not cached: retention starts within a partition.
      if (fault !== null) return fault;
      this.checked.set(key, performance.now());
    }
    return null;
  }

  private async create(table: string, at: string): Promise<string | null> {
    try {
      await this.connection.query('SELECT fleet.ensure_partition($1, $2)', [table, at]);
      return null;
    } catch (failure) {
      if (failure instanceof Error && 'code' in failure && failure.code === OUTSIDE_RETENTION)
        return failure.message;
      throw failure;
    }
  }
}
