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
  /** Sum of health score (0 to 100) × duration in ms. */
  healthScoreMs = 0;
  /** Sum of the durations with a health score, in ms. */
  healthMs = 0;

  constructor(
    readonly owner: Owner,
    readonly dayMs: number,
  ) {}

  /** Adds a reading, or the mean of `count` readings. Null and undefined (not measured) are ignored. */
  addReading(mean: Mean, value: number | null | undefined, count = 1): void {
    if (value === null || value === undefined || count === 0) return;
    this.addSum(mean, inSumUnits(value * count), count);
  }

  /** Adds to the sum of a mean, in the unit of `inSumUnits`, and to its count. */
  addSum(mean: Mean, sum: number, count: number): void {
    addAt(this.sums, MEAN_INDEX[mean], sum);
    addAt(this.counts, MEAN_INDEX[mean], count);
  }

  addToTotal(total: Total, n: number): void {
    addAt(this.totals, TOTAL_INDEX[total], n);
  }

  /** Adds alerts of a severity, given by its rank. A negative number removes them. */
  addAlerts(severityRank: number, n: number): void {
    addAt(this.alerts, severityRank, n);
  }

  /** Adds time that a GPU spent with this health score. */
  addHealthDuration(score: number, milliseconds: number): void {
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

function addAt(values: Float64Array | number[], index: number, n: number): void {
  values[index] = (values[index] as number) + n;
}

/** Returns the values by column. Names and values have the same indexes. */
function byName<Name extends string, Column extends SumColumn>(
  names: readonly Name[],
  columnOf: (name: Name) => Column,
  values: Float64Array,
): Record<Column, number> {
  return Object.fromEntries(names.map((name, i) => [columnOf(name), values[i]])) as Record<Column, number>;
}

/** Types of the key columns: those of a `RollupScope` in its order, then the day. */
const KEY_TYPES = {
  scope_kind: 'smallint',
  api_key_id: 'integer',
  workspace_id: 'integer',
  day: 'timestamptz',
};
const KEYS = Object.keys(KEY_TYPES);
const COLUMNS = [...KEYS, ...SUM_COLUMNS].join(', ');
const COLUMN_TYPES = [...Object.values(KEY_TYPES), ...SUM_COLUMNS.map(() => 'float8')];
/** Adds sums to rows of `fleet.metric_days`, by customer, scope and day. */
const ADD_SUMS = `INSERT INTO fleet.metric_days AS stored (customer_id, ${COLUMNS})
  SELECT $1, ${COLUMNS}
  FROM unnest(${COLUMN_TYPES.map((type, i) => `$${i + 2}::${type}[]`).join(', ')}) AS staged (${COLUMNS})
  ON CONFLICT (customer_id, ${KEYS.join(', ')}) DO UPDATE
  SET ${SUM_COLUMNS.map((column) => `${column} = stored.${column} + excluded.${column}`).join(', ')}`;

/** Additions of a batch to `fleet.metric_days`, written in its transaction. */
export class MetricDayBatch {
  private readonly days = new Map<string, MetricDay>();
  /** Cache of the last result: consecutive records usually have the same owner and day. */
  private latest: MetricDay | undefined;

  /** Returns the additions to the day of a time, for an owner. They are empty at the first call. */
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
    // Owners share the rows of their customer and workspace. ON CONFLICT cannot update a row twice, so their values are added first.
    const rows = new Map<string, { keys: unknown[]; values: number[] }>();
    for (const day of this.days.values()) {
      const values = day.values();
      for (const scope of scopesOf(day.owner)) {
        const key = `${scope.join(' ')} ${day.dayMs}`;
        const row = rows.get(key);
        if (row) values.forEach((value, i) => addAt(row.values, i, value));
        else rows.set(key, { keys: [...scope, new Date(day.dayMs)], values: [...values] });
      }
    }
    this.days.clear();
    this.latest = undefined;
    if (rows.size === 0) return;
    const rowValues = [...rows.values()].map(({ keys, values }) => [...keys, ...values]);
    // `unnest` takes an array per column.
    const columns = COLUMN_TYPES.map((_type, i) => rowValues.map((row) => row[i]));
    await connection.query(ADD_SUMS, [customerId, ...columns]);
  }
}
