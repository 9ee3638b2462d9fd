import type { ImportRecord } from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import type { ImportConnection } from './import-connection.ts';

/** The partitioned tables that a record of a kind is written to, with the time that decides the partition. */
function placesOf(record: ImportRecord): { table: string; at: string; grain: 'month' | 'day' }[] {
  switch (record.kind) {
    case 'gpu_sample': {
      const places: { table: string; at: string; grain: 'month' | 'day' }[] = [
        { table: 'gpu_samples', at: record.at, grain: 'day' },
        { table: 'gpu_days', at: record.at, grain: 'month' },
        { table: 'gpu_day_sums', at: record.at, grain: 'month' },
      ];
      // A sample may turn out to be an XID event.
      if (record.xid_last_code) places.push({ table: 'gpu_xid_events', at: record.at, grain: 'month' });
      return places;
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
      return ['alerts', 'alert_details'].map((table) => ({ table, at: record.created_at, grain: 'month' }));
    case 'timeline_event':
      return [{ table: 'alert_timeline_events', at: record.ts, grain: 'month' }];
    default:
      return [];
  }
}

const OUTSIDE_RETENTION = '22008'; // datetime_field_overflow, raised by fleet.ensure_partition

/** Much shorter than the grace that retention gives what has just been accepted. */
const REMEMBER_MS = 10 * 60_000;

/** Sees to it that partitions are there before a batch's transaction begins: making one must not wait for a batch. */
export class Partitions {
  /** Those that were there, and when: a stream may outlive a partition. */
  private readonly made = new Map<string, number>();

  constructor(private readonly connection: ImportConnection) {}

  /** @returns the entries that have a place; the others are rejected */
  async ensure(entries: BatchEntry[], outcomes: Outcomes): Promise<BatchEntry[]> {
    const placed: BatchEntry[] = [];
    for (const entry of entries) {
      const fault = await this.place(entry.record);
      if (fault === null) placed.push(entry);
      else outcomes.reject(entry, fault);
    }
    return placed;
  }

  private async place(record: ImportRecord): Promise<string | null> {
    for (const { table, at, grain } of placesOf(record)) {
      const key = `${table} ${at.slice(0, grain === 'day' ? 10 : 7)}`;
      if (performance.now() - (this.made.get(key) ?? -Infinity) < REMEMBER_MS) continue;
      const fault = await this.make(table, at);
      // A refusal is of this instant alone: what is kept begins within a month.
      if (fault !== null) return fault;
      this.made.set(key, performance.now());
    }
    return null;
  }

  private async make(table: string, at: string): Promise<string | null> {
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
