import { SEVERITIES } from '@gpu-observatory/domain-types';
import {
  inSumUnits,
  type Mean,
  MEANS,
  SUM_COLUMNS,
  type SumColumn,
  type Total,
  TOTALS,
} from '../../../model/metrics/measures.ts';
import { dayStart } from '../../../model/metrics/time-grains.ts';
import type { ImportConnection } from '../import-connection.ts';
import { type Owner, ownerOf, sameOwner, scopesOf } from '../../../model/metrics/rollup-scope.ts';

const MEAN_INDEX = Object.fromEntries(MEANS.map((mean, i) => [mean, i])) as Record<Mean, number>;
const TOTAL_INDEX = Object.fromEntries(TOTALS.map((total, i) => [total, i])) as Record<Total, number>;

/** Additions of a batch to one day of one owner. */
export class MetricDay {
  readonly sums = new Float64Array(MEANS.length);
  readonly counts = new Float64Array(MEANS.length);
  readonly totals = new Float64Array(TOTALS.length);
  /** Number of alerts by rank of the severity. */
  readonly alerts = new Float64Array(SEVERITIES.length);
  healthScoreMs = 0;
  healthMs = 0;

  constructor(
    readonly owner: Owner,
    readonly dayMs: number,
  ) {}

  /** Adds a reading, or the mean of `count` readings. Null and undefined (not measured) are ignored. */
  addReading(mean: Mean, value: number | null | undefined, count = 1): void {
    if (value === null || value === undefined || count === 0) return;
    this.add(mean, inSumUnits(value * count), count);
  }

  /** Adds to the sum of a mean, in sum units, and to its count. */
  add(mean: Mean, units: number, count: number): void {
    const index = MEAN_INDEX[mean];
    this.sums[index] = (this.sums[index] as number) + units;
    this.counts[index] = (this.counts[index] as number) + count;
  }

  addToTotal(total: Total, n: number): void {
    const index = TOTAL_INDEX[total];
    this.totals[index] = (this.totals[index] as number) + n;
  }

  countAlert(rank: number, n: number): void {
    this.alerts[rank] = (this.alerts[rank] as number) + n;
  }

  /** Adds time that a GPU spent with this health score. */
  addDuration(score: number, milliseconds: number): void {
    this.healthScoreMs += score * milliseconds;
    this.healthMs += milliseconds;
  }

  /** Returns the values in the order of `SUM_COLUMNS`. */
  values(): number[] {
    const bySumColumn: Record<SumColumn, number> = {
      ...byName(MEANS, (mean) => `${mean}_sum` as const, this.sums),
      ...byName(MEANS, (mean) => `${mean}_n` as const, this.counts),
      health_score_ms: Math.round(this.healthScoreMs),
      health_ms: this.healthMs,
      ...byName(TOTALS, (total) => total, this.totals),
      ...byName(SEVERITIES, (severity) => `alerts_${severity}` as const, this.alerts),
    };
    return SUM_COLUMNS.map((column) => bySumColumn[column]);
  }
}

/** Returns the values by column. Names and values have the same indexes. */
function byName<Name extends string, Column extends SumColumn>(
  names: readonly Name[],
  columnOf: (name: Name) => Column,
  values: Float64Array,
): Record<Column, number> {
  return Object.fromEntries(names.map((name, i) => [columnOf(name), values[i]])) as Record<Column, number>;
}

const KEYS = ['scope_kind', 'api_key_id', 'workspace_id', 'day'];
const TYPES = ['smallint', 'integer', 'integer', 'timestamptz', ...SUM_COLUMNS.map(() => 'float8')];
/** Adds sums to rows of `fleet.metric_days`, by customer, scope and day. */
const ADD_SUMS = `INSERT INTO fleet.metric_days AS stored (customer_id, ${[...KEYS, ...SUM_COLUMNS].join(', ')})
  SELECT $1, ${[...KEYS, ...SUM_COLUMNS].join(', ')}
  FROM unnest(${TYPES.map((type, i) => `$${i + 2}::${type}[]`).join(', ')}) AS staged (${[...KEYS, ...SUM_COLUMNS].join(', ')})
  ON CONFLICT (customer_id, ${KEYS.join(', ')}) DO UPDATE
  SET ${SUM_COLUMNS.map((column) => `${column} = stored.${column} + excluded.${column}`).join(', ')}`;

/** Additions of a batch to `fleet.metric_days`, written in its transaction. */
export class MetricDays {
  private readonly days = new Map<string, MetricDay>();
  /** Cache of the last result: consecutive records usually have the same owner and day. */
  private latest: MetricDay | undefined;

  /** Returns the day of a time for an owner. */
  dayOf(owner: Owner, atMs: number): MetricDay {
    const dayMs = dayStart(atMs);
    if (this.latest?.dayMs === dayMs && sameOwner(this.latest.owner, owner)) return this.latest;
    const key = `${owner.workspace_id} ${owner.api_key_id} ${dayMs}`;
    let day = this.days.get(key);
    if (day === undefined) {
      day = new MetricDay(ownerOf(owner), dayMs);
      this.days.set(key, day);
    }
    this.latest = day;
    return day;
  }

  async write(connection: ImportConnection, customerId: number): Promise<void> {
    // The days of several owners are part of the same day of the customer or the workspace.
    const rows = new Map<string, { keys: unknown[]; values: number[] }>();
    for (const day of this.days.values()) {
      const values = day.values();
      for (const scope of scopesOf(day.owner)) {
        const key = `${scope.join(' ')} ${day.dayMs}`;
        const row = rows.get(key);
        if (row) values.forEach((value, i) => (row.values[i] = (row.values[i] as number) + value));
        else rows.set(key, { keys: [...scope, new Date(day.dayMs)], values: [...values] });
      }
    }
    this.days.clear();
    this.latest = undefined;
    if (rows.size === 0) return;
    const lines = [...rows.values()].map(({ keys, values }) => [...keys, ...values]);
    await connection.query(ADD_SUMS, [customerId, ...TYPES.map((_type, i) => lines.map((line) => line[i]))]);
  }
}
