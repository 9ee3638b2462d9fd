import { MINUTE_MS } from '@gpu-observatory/domain-types';
import type { ImportRecord } from '../records/records.ts';
import type { BatchEntry, Outcomes } from './batch.ts';
import type { ImportConnection } from './import-connection.ts';

/** Partitioned tables that are written together, and the finest grain of their partitions. */
const TABLE_GROUPS = {
  gpuSamples: { tables: ['gpu_samples', 'gpu_days', 'gpu_day_sums'], grain: 'day' },
  gpuDays: { tables: ['gpu_days', 'gpu_day_sums'], grain: 'month' },
  xidEvents: { tables: ['gpu_xid_events'], grain: 'month' },
  hostSamples: { tables: ['host_samples', 'host_days'], grain: 'day' },
  hostDays: { tables: ['host_days'], grain: 'month' },
  alerts: { tables: ['alerts', 'alert_details', 'alert_words'], grain: 'month' },
  timelineEvents: { tables: ['alert_timeline_events'], grain: 'month' },
} as const;
type TableGroup = keyof typeof TABLE_GROUPS;
/** Number of characters that the RFC 3339 times in a partition have in common, by grain. */
const PERIOD_LENGTH = { day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length };

/** Partitions of table groups that contain a time. */
interface Partitioned {
  groups: readonly TableGroup[];
  /** RFC 3339 UTC with milliseconds, so that text compares as time; empty without groups. */
  at: string;
}
const NONE: Partitioned = { groups: [], at: '' };

/** Returns the partitions that a record is written to. */
function partitionsOf(record: ImportRecord): Partitioned {
  switch (record.kind) {
    case 'gpu_sample':
      // A sample with an XID code may add an XID event.
      return { groups: record.xid_last_code ? ['gpuSamples', 'xidEvents'] : ['gpuSamples'], at: record.at };
    case 'gpu_day':
      return { groups: ['gpuDays'], at: startOfDay(record.day) };
    case 'xid_event':
      return { groups: ['xidEvents'], at: record.at };
    case 'host_sample':
      return { groups: ['hostSamples'], at: record.at };
    case 'host_day':
      return { groups: ['hostDays'], at: startOfDay(record.day) };
    case 'alert':
      return { groups: ['alerts'], at: record.created_at };
    case 'timeline_event':
      return { groups: ['timelineEvents'], at: record.ts };
    default:
      return NONE;
  }
}

/** Returns the partitions of the alert that a record may raise. */
function alertPartitionsOf(record: ImportRecord): Partitioned {
  if (record.kind !== 'xid_event' && record.kind !== 'gpu_sample') return NONE;
  if (!record.raise_alert || (record.kind === 'gpu_sample' && !record.xid_last_code)) return NONE;
  return { groups: ['alerts', 'timelineEvents'], at: record.at };
}

/** Returns the start of a day in RFC 3339 UTC with milliseconds. @param day date such as `2026-11-22` */
export function startOfDay(day: string): string {
  return `${day}T00:00:00.000Z`;
}

const OUTSIDE_RETENTION = '22008'; // datetime_field_overflow, raised by fleet.ensure_partition

/** Creates the partition of a table for a time unless it exists. Returns the start of retention. */
const ENSURE_PARTITION = 'SELECT fleet.ensure_partition($1, $2) AS earliest';

/** Time that a check is cached. It is much shorter than the grace period of retention, so that the partition still exists. */
const CACHE_MS = 10 * MINUTE_MS;

/** Partitions of a group that exist. */
interface KnownPartitions {
  /** Time of the check on the monotonic clock, in ms. A stream may outlive a partition. */
  checkedAtMs: number;
  /** Records from this time on are within retention for as long as the check is valid. */
  acceptedFrom: string;
}

/** Creates missing partitions before the transaction of a batch: the DDL lock must not last as long as a batch. */
export class Partitions {
  /** Known partitions by group and period. */
  private readonly known = new Map<string, KnownPartitions>();

  constructor(private readonly connection: ImportConnection) {}

  /**
   * Creates the partitions of records, and of the alerts that XIDs may raise. Alerts may be kept for a shorter time than telemetry: an
   * XID that is older raises none.
   *
   * @returns the entries within retention; the others are rejected, whatever other records the batch contains
   */
  async ensure(entries: BatchEntry[], outcomes: Outcomes): Promise<BatchEntry[]> {
    const accepted: BatchEntry[] = [];
    const nowMs = performance.now();
    for (const entry of entries) {
      const partitions = partitionsOf(entry.record);
      const fault = this.areKnown(partitions, nowMs) ? null : await this.create(partitions);
      if (fault !== null) {
        outcomes.recordRejected(entry, fault);
        continue;
      }
      const alertPartitions = alertPartitionsOf(entry.record);
      const alertFault = this.areKnown(alertPartitions, nowMs) ? null : await this.create(alertPartitions);
      if (alertFault !== null) Object.assign(entry.record, { raise_alert: false });
      accepted.push(entry);
    }
    return accepted;
  }

  /** Returns whether the partitions exist and accept this time, without a statement. */
  private areKnown({ groups, at }: Partitioned, nowMs: number): boolean {
    return groups.every((group) => {
      const known = this.known.get(keyOf(group, at));
      return known !== undefined && at >= known.acceptedFrom && nowMs - known.checkedAtMs < CACHE_MS;
    });
  }

  /** Creates the partitions, unless they exist. @returns the reason that a table rejects this time, or null */
  private async create({ groups, at }: Partitioned): Promise<string | null> {
    for (const group of groups) {
      let acceptedFrom = '';
      for (const table of TABLE_GROUPS[group].tables) {
        const result = await this.ensurePartition(table, at);
        if ('fault' in result) return result.fault;
        if (result.acceptedFrom > acceptedFrom) acceptedFrom = result.acceptedFrom;
      }
      this.known.set(keyOf(group, at), { checkedAtMs: performance.now(), acceptedFrom });
    }
    return null;
  }

  private async ensurePartition(
    table: string,
    at: string,
  ): Promise<{ acceptedFrom: string } | { fault: string }> {
    try {
      const [row] = await this.connection.query<{ earliest: Date }>(ENSURE_PARTITION, [table, at]);
      // Retention starts within a partition, and its start advances while the check is cached.
      const acceptedFromMs = (row as { earliest: Date }).earliest.getTime() + CACHE_MS;
      return { acceptedFrom: new Date(acceptedFromMs).toISOString() };
    } catch (failure) {
      if (failure instanceof Error && 'code' in failure && failure.code === OUTSIDE_RETENTION)
        return { fault: failure.message };
      throw failure;
    }
  }
}

function keyOf(group: TableGroup, at: string): string {
  return `${group} ${at.slice(0, PERIOD_LENGTH[TABLE_GROUPS[group].grain])}`;
}
