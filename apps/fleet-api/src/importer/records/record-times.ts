import { parseTimestamp } from '@gpu-observatory/domain-types';
import { MAX_FUTURE_MS, RETENTION_MONTHS } from './limits.ts';
import type { ImportRecord } from './records.ts';

/** Time fields of records. Only started_at may be older than the retention. */
const TIME_FIELDS = ['at', 'created_at', 'ts', 'day', 'started_at'] as const;
const EARLIEST_START_MS = Date.UTC(1970, 0, 1);

interface ParsedTime {
  text: string;
  instant: Date | null;
}
const NO_TIME: ParsedTime = { text: '', instant: null };

/**
 * Parses and normalizes the times of records. The last results are cached: the records of a scrape have one time, and an event of
 * Falco has its own and that of its process.
 */
export class RecordTimes {
  private last = NO_TIME;
  private secondLast = NO_TIME;
  private lastNormalized = { text: '', time: '' };
  private retention = { nowMs: 0, startMs: 0 };

  constructor(private readonly now: () => number) {}

  /** Parses a timestamp; null for any other text. */
  parse(text: string): Date | null {
    if (text === this.last.text) return this.last.instant;
    const time = text === this.secondLast.text ? this.secondLast : { text, instant: parseTimestamp(text) };
    this.secondLast = this.last;
    this.last = time;
    return time.instant;
  }

  /**
   * Converts the times of a valid record to UTC in place.
   *
   * @returns the fault of a time out of range, or null
   */
  normalize(record: ImportRecord): string | null {
    const times = record as unknown as Record<string, string | undefined>;
    const now = this.now();
    for (const field of TIME_FIELDS) {
      const text = times[field];
      if (text === undefined) continue;
      const instant = this.parse(field === 'day' ? `${text}T00:00:00Z` : text) as Date;
      if (instant.getTime() > now + MAX_FUTURE_MS) return `${field} is in the future (${text})`;
      const earliest = field === 'started_at' ? EARLIEST_START_MS : this.retentionStartMs(now);
      if (instant.getTime() < earliest) {
        return field === 'started_at'
          ? `${field} is before 1970 (${text})`
          : `${field} is older than the ${RETENTION_MONTHS} months of retention (${text})`;
      }
      if (field !== 'day') times[field] = this.normalized(text, instant);
    }
    return null;
  }

  private normalized(text: string, instant: Date): string {
    if (text !== this.lastNormalized.text) this.lastNormalized = { text, time: instant.toISOString() };
    return this.lastNormalized.time;
  }

  private retentionStartMs(nowMs: number): number {
    if (nowMs !== this.retention.nowMs) this.retention = { nowMs, startMs: retentionStartMs(nowMs) };
    return this.retention.startMs;
  }
}

/** Returns the start of the retention period. */
export function retentionStartMs(now: number): number {
  const start = new Date(now);
  const day = start.getUTCDate();
  start.setUTCMonth(start.getUTCMonth() - RETENTION_MONTHS);
  // As in PostgreSQL, a month without that day ends on its last.
  if (start.getUTCDate() !== day) start.setUTCDate(0);
  return start.getTime();
}
