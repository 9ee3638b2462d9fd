import { SEVERITIES } from '@gpu-observatory/domain-types';
import { MEANS, TOTALS } from '../../model/metrics/measures.ts';

/** Columns of `fleet.metric_days`, in the order of its `sums`. */
const COLUMNS: readonly string[] = [
  ...MEANS.flatMap((mean) => [`${mean}_sum`, `${mean}_n`]),
  'health_score_ms',
  'health_ms',
  ...TOTALS,
  ...SEVERITIES.map((severity) => `alerts_${severity}`),
];

const COLUMNS_SQL = COLUMNS.map((column) => `d.${column}`).join(', ');
const SUMS_SQL = COLUMNS.map((column) => `sum(d.${column}::float8)`).join(', ');

/**
 * Returns a statement for the sums of each day, for `DaySums`: the number of the day and the columns, separated by commas.
 * Converting the numbers to text is more than half of the database time of a customer's metrics, so each row stores its text.
 *
 * @param rowsOf returns the rows of `fleet.metric_days` with these columns
 * @param dayNumber expression for the number of `d.day` in the window, from 0
 * @param hasOneRowPerDay whether no aggregation is needed
 */
export function daySumsSql(
  rowsOf: (columns: string) => string,
  dayNumber: string,
  hasOneRowPerDay: boolean,
): string {
  const days = hasOneRowPerDay
    ? `SELECT ${dayNumber} AS number, d.sums FROM (${rowsOf('d.sums')}) AS d`
    : `SELECT ${dayNumber} AS number, concat_ws(',', ${SUMS_SQL}) AS sums FROM (${rowsOf(COLUMNS_SQL)}) AS d GROUP BY d.day`;
  return `SELECT string_agg(day.number || ',' || day.sums, ',') FROM (${days}) AS day`;
}

/** The sums of each day of a window. */
export class DaySums {
  /** For each column, the value of each day. */
  private readonly columns: number[][];

  /**
   * @param parts results of `daySumsSql`, which add up; null without rows
   * @param length number of days in the window
   */
  constructor(parts: readonly (string | null)[], length: number) {
    this.columns = COLUMNS.map(() => new Array<number>(length).fill(0));
    for (const part of parts) if (part !== null) this.add(part);
  }

  column(name: string): number[] {
    return this.columns[COLUMNS.indexOf(name)] as number[];
  }

  private add(rows: string): void {
    const numbers = JSON.parse(`[${rows}]`) as number[];
    for (let at = 0; at < numbers.length;) {
      const day = numbers[at++] as number;
      for (const column of this.columns) column[day] = (column[day] as number) + (numbers[at++] as number);
    }
  }
}
