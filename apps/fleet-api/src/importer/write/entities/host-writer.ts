import type { Attributed, HostDayRecord, HostReadings, HostSampleRecord } from '../../records/records.ts';
import type { BatchEntry } from '../batch.ts';
import type { BatchContext } from '../batch-context.ts';
import type { MetricDay } from '../rollups/metric-days.ts';

const READINGS = ['cpu_load_1m', 'cpu_utilization_pct', 'forks_per_second', 'exits_per_second'] as const;
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

/** Writes the host readings of one batch, and adds them to the metrics. */
export class HostWriter {
  constructor(private readonly batch: BatchContext) {}

  /** Writes `host_sample` records: an equal one is a duplicate, a different one of the same time is rejected. */
  async writeSamples(entries: BatchEntry<Attributed<HostSampleRecord>>[]): Promise<void> {
    if (entries.length === 0) return;
    const first = firstOfEach(entries.map(({ record }) => record));
    const written = await this.insertSamples([...first.values()]);
    await this.insertDays(
      [...first.values()].map(({ hostname, at }) => ({ hostname, day: `${at.slice(0, 10)}T00:00:00Z` })),
    );
    const notInserted = entries.filter(
      ({ record }) => !written.has(keyOf(record)) || first.get(keyOf(record)) !== record,
    );
    const stored = await this.readSamples(notInserted.map(({ record }) => record));
    for (const entry of entries) {
      const { record } = entry;
      if (first.get(keyOf(record)) === record && written.has(keyOf(record))) {
        this.count(record);
        this.batch.outcomes.recordWritten(entry);
        continue;
      }
      const readings = stored.get(keyOf(record)) ?? {};
      const reading = READINGS.find((name) => (readings[name] ?? null) !== (record[name] ?? null));
      if (reading === undefined) this.batch.outcomes.recordDuplicate(entry);
      else
        this.batch.outcomes.recordRejected(
          entry,
          `a sample of this host and time is already stored with a different ${reading}`,
        );
    }
  }

  /** Writes `host_day` records. A day that is stored already, from samples or a record, stays unchanged. */
  async writeDays(entries: BatchEntry<Attributed<HostDayRecord>>[]): Promise<void> {
    const added = await this.insertDays(
      entries.map(({ record: { hostname, day } }) => ({ hostname, day: `${day}T00:00:00Z` })),
    );
    for (const entry of entries) {
      const { record } = entry;
      const dayStart = `${record.day}T00:00:00.000Z`;
      if (!added.delete(`${record.hostname} ${dayStart}`)) {
        this.batch.outcomes.recordDuplicate(entry);
        continue;
      }
      addReadings(this.batch.metricDays.dayOf(record, Date.parse(dayStart)), record, record.samples);
      for (const at of [dayStart, `${record.day}${END_OF_DAY}`])
        this.batch.entities.recordHostSeen(record.hostname, at, record);
      this.batch.outcomes.recordWritten(entry);
    }
  }

  private count(record: Attributed<HostSampleRecord>): void {
    addReadings(this.batch.metricDays.dayOf(record, Date.parse(record.at)), record, 1);
    this.batch.entities.recordHostSeen(record.hostname, record.at, record);
  }

  private async insertSamples(records: HostSampleRecord[]): Promise<Set<string>> {
    const rows = await this.batch.connection.query<{ hostname: string; at: Date }>(INSERT_SAMPLES, [
      this.batch.customerId,
      JSON.stringify(records),
    ]);
    return new Set(rows.map(({ hostname, at }) => keyOf({ hostname, at: at.toISOString() })));
  }

  private async readSamples(wanted: HostSampleRecord[]): Promise<Map<string, HostReadings>> {
    if (wanted.length === 0) return new Map();
    const rows = await this.batch.connection.query<HostReadings & { hostname: string; at: Date }>(
      READ_SAMPLES,
      [this.batch.customerId, wanted.map(({ hostname }) => hostname), wanted.map(({ at }) => at)],
    );
    return new Map(rows.map((row) => [keyOf({ hostname: row.hostname, at: row.at.toISOString() }), row]));
  }

  /** Inserts days with readings. @returns the new ones, as `<hostname> <day>` */
  private async insertDays(days: { hostname: string; day: string }[]): Promise<Set<string>> {
    if (days.length === 0) return new Set();
    const rows = await this.batch.connection.query<{ hostname: string; day: Date }>(INSERT_DAYS, [
      this.batch.customerId,
      days.map(({ hostname }) => hostname),
      days.map(({ day }) => day),
    ]);
    return new Set(rows.map(({ hostname, day }) => `${hostname} ${day.toISOString()}`));
  }
}

function addReadings(day: MetricDay, readings: HostReadings, samples: number): void {
  day.addReading('cpu_load', readings.cpu_load_1m, samples);
  day.addReading('cpu_utilization', readings.cpu_utilization_pct, samples);
  day.addReading('fork_rate', readings.forks_per_second, samples);
  day.addReading('exit_rate', readings.exits_per_second, samples);
}

function keyOf({ hostname, at }: { hostname: string; at: string }): string {
  return `${hostname} ${at}`;
}

function firstOfEach<R extends { hostname: string; at: string }>(records: R[]): Map<string, R> {
  const first = new Map<string, R>();
  for (const record of records) if (!first.has(keyOf(record))) first.set(keyOf(record), record);
  return first;
}
