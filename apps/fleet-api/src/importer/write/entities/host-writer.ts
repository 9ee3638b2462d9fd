import type { Attributed, HostDayRecord, HostReadings, HostSampleRecord } from '../../records/records.ts';
import type { BatchEntry } from '../batch.ts';
import type { BatchContext } from '../batch-context.ts';
import { startOfDay } from '../partitions.ts';
import type { MetricDay } from '../rollups/metric-days.ts';

const READINGS = ['cpu_load_1m', 'cpu_utilization_pct', 'forks_per_second', 'exits_per_second'] as const;
/** Time of day of the last observation by a `host_day` record. */
const END_OF_DAY = 'T23:59:59.999Z';

/** Inserts the rows of `fleet.host_samples` that are new, by customer, host and time. Returns their keys. */
const INSERT_SAMPLES = `INSERT INTO fleet.host_samples (customer_id, hostname, at, ${READINGS.join(', ')})
  SELECT $1, hostname, at, ${READINGS.join(', ')}
  FROM jsonb_to_recordset($2) AS staged (hostname text, at timestamptz, ${READINGS.map((name) => `${name} float8`).join(', ')})
  ON CONFLICT (customer_id, hostname, at) DO NOTHING RETURNING hostname, at`;

/** Reads rows of `fleet.host_samples`, by customer, host and time. */
const READ_SAMPLES = `SELECT s.hostname, s.at, ${READINGS.map((name) => `s.${name}`).join(', ')}
  FROM unnest($2::text[], $3::timestamptz[]) AS wanted (hostname, at)
  JOIN fleet.host_samples s ON s.customer_id = $1 AND s.hostname = wanted.hostname AND s.at = wanted.at`;

/** Inserts the rows of `fleet.host_days` that are new, by customer, host and day. Returns their keys. */
const INSERT_DAYS = `INSERT INTO fleet.host_days (customer_id, hostname, day)
  SELECT DISTINCT $1::integer, hostname, day FROM unnest($2::text[], $3::timestamptz[]) AS staged (hostname, day)
  ON CONFLICT (customer_id, hostname, day) DO NOTHING RETURNING hostname, day`;

type SampleEntry = BatchEntry<Attributed<HostSampleRecord>>;

/** Writes the host readings of one batch, and adds them to the metrics. */
export class HostWriter {
  constructor(private readonly context: BatchContext) {}

  /** Writes `host_sample` records: an equal one is a duplicate, a different one of the same time is rejected. */
  async writeSamples(entries: SampleEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const firstRecords = firstOfEach(entries.map(({ record }) => record));
    const uniqueRecords = [...firstRecords.values()];
    const inserted = await this.insertSamples(uniqueRecords);
    // A day with samples counts as stored: a later `host_day` record of it is a duplicate.
    await this.insertDays(
      uniqueRecords.map(({ hostname, at }) => ({
        hostname,
        day: startOfDay(at.slice(0, 'YYYY-MM-DD'.length)),
      })),
    );
    // Of equal keys in the batch, only the first record was inserted.
    const isNew = ({ record }: SampleEntry) =>
      firstRecords.get(keyOf(record)) === record && inserted.has(keyOf(record));
    const stored = await this.readSamples(entries.filter((entry) => !isNew(entry)));
    for (const entry of entries) {
      if (isNew(entry)) this.countSample(entry);
      else this.recordDuplicateOrConflict(entry, stored.get(keyOf(entry.record)) ?? {});
    }
  }

  /** Writes `host_day` records. A day that is stored already, from samples or a record, stays unchanged. */
  async writeDays(entries: BatchEntry<Attributed<HostDayRecord>>[]): Promise<void> {
    const newDays = await this.insertDays(
      entries.map(({ record: { hostname, day } }) => ({ hostname, day: startOfDay(day) })),
    );
    for (const entry of entries) {
      const { record } = entry;
      const { hostname, day } = record;
      const start = startOfDay(day);
      const end = `${day}${END_OF_DAY}`;
      // Deletes the key, so that a second record of the same day is a duplicate.
      if (!newDays.delete(keyOf({ hostname, at: start }))) {
        this.context.outcomes.recordDuplicate(entry);
        continue;
      }
      addReadings(this.context.metricDays.dayOf(record, Date.parse(start)), record, record.samples);
      for (const at of [start, end]) this.context.entities.recordHostSeen(hostname, at, record);
      this.context.outcomes.recordWritten(entry);
    }
  }

  private countSample(entry: SampleEntry): void {
    const { record } = entry;
    addReadings(this.context.metricDays.dayOf(record, Date.parse(record.at)), record, 1);
    this.context.entities.recordHostSeen(record.hostname, record.at, record);
    this.context.outcomes.recordWritten(entry);
  }

  private recordDuplicateOrConflict(entry: SampleEntry, stored: HostReadings): void {
    const differingReading = READINGS.find((name) => (stored[name] ?? null) !== (entry.record[name] ?? null));
    if (differingReading === undefined) this.context.outcomes.recordDuplicate(entry);
    else
      this.context.outcomes.recordRejected(
        entry,
        `a sample of this host and time is already stored with a different ${differingReading}`,
      );
  }

  /** Inserts samples. @returns the keys of the new ones */
  private async insertSamples(records: HostSampleRecord[]): Promise<Set<string>> {
    const rows = await this.context.connection.query<{ hostname: string; at: Date }>(INSERT_SAMPLES, [
      this.context.customerId,
      JSON.stringify(records),
    ]);
    return new Set(rows.map(({ hostname, at }) => keyOf({ hostname, at: at.toISOString() })));
  }

  private async readSamples(entries: SampleEntry[]): Promise<Map<string, HostReadings>> {
    if (entries.length === 0) return new Map();
    const rows = await this.context.connection.query<HostReadings & { hostname: string; at: Date }>(
      READ_SAMPLES,
      [
        this.context.customerId,
        entries.map(({ record }) => record.hostname),
        entries.map(({ record }) => record.at),
      ],
    );
    return new Map(rows.map((row) => [keyOf({ hostname: row.hostname, at: row.at.toISOString() }), row]));
  }

  /** Inserts the days on which hosts have readings. @returns the keys of the new ones */
  private async insertDays(days: { hostname: string; day: string }[]): Promise<Set<string>> {
    if (days.length === 0) return new Set();
    const rows = await this.context.connection.query<{ hostname: string; day: Date }>(INSERT_DAYS, [
      this.context.customerId,
      days.map(({ hostname }) => hostname),
      days.map(({ day }) => day),
    ]);
    return new Set(rows.map(({ hostname, day }) => keyOf({ hostname, at: day.toISOString() })));
  }
}

function addReadings(day: MetricDay, readings: HostReadings, samples: number): void {
  day.addReading('cpu_load', readings.cpu_load_1m, samples);
  day.addReading('cpu_utilization', readings.cpu_utilization_pct, samples);
  day.addReading('fork_rate', readings.forks_per_second, samples);
  day.addReading('exit_rate', readings.exits_per_second, samples);
}

/** Returns the key of a sample (host and time) or of a day of a host (host and start of the day). @param at RFC 3339 UTC with ms */
function keyOf({ hostname, at }: { hostname: string; at: string }): string {
  return `${hostname} ${at}`;
}

/** Returns the first record of each host and time. */
function firstOfEach<R extends { hostname: string; at: string }>(records: R[]): Map<string, R> {
  const first = new Map<string, R>();
  for (const record of records) if (!first.has(keyOf(record))) first.set(keyOf(record), record);
  return first;
}
