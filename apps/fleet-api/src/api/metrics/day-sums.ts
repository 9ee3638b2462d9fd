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

export const DAY_COLUMNS = COLUMNS.map((column) => `d.${column}`).join(', ');
/** The columns of all rows `d` of a day, separated by commas, for `DaySums`. */
export const DAY_SUMS = `concat_ws(',', ${COLUMNS.map((column) => `sum(d.${column}::float8)`).join(', ')})`;

/** The sums of each day of a window. */
export class DaySums {
  /** For each column, the value of each day. */
  private readonly columns: number[][];

  /**
   * @param parts the number of each day in the window and its sums, separated by commas; they add up. Null without rows
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
