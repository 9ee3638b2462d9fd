import { SUM_COLUMNS, type SumColumn } from '../../model/metrics/measures.ts';

/** The columns that `METRIC_SUMS_TEXT` adds up. */
export const METRIC_SUM_COLUMNS = SUM_COLUMNS.map((column) => `d.${column}`).join(', ');
/**
 * The sums of all rows `d` of a day, separated by commas, for `MetricDaySums`. The columns are NOT NULL: `concat_ws` would skip a null
 * and shift the values after it.
 */
export const METRIC_SUMS_TEXT = `concat_ws(',', ${SUM_COLUMNS.map((column) => `sum(d.${column}::float8)`).join(', ')})`;

/** The sums of each day of a window. */
export class MetricDaySums {
  /** For each column, the value of each day. */
  private readonly columns: number[][];

  /**
   * @param parts lists of numbers such as `0,12,3,…,1,40,2,…`: for each day its number in the window, then the values of `SUM_COLUMNS`.
   * Values of the same day add up. A part without days is null
   * @param length number of days in the window
   */
  constructor(parts: readonly (string | null)[], length: number) {
    this.columns = SUM_COLUMNS.map(() => new Array<number>(length).fill(0));
    for (const part of parts) if (part !== null) this.add(part);
  }

  /** Returns the sum of a column for each day. */
  column(name: SumColumn): number[] {
    return this.columns[SUM_COLUMNS.indexOf(name)] as number[];
  }

  private add(rows: string): void {
    const numbers = JSON.parse(`[${rows}]`) as number[];
    const width = 1 + SUM_COLUMNS.length;
    for (let start = 0; start < numbers.length; start += width) {
      const day = numbers[start] as number;
      this.columns.forEach((column, n) => {
        column[day] = (column[day] as number) + (numbers[start + 1 + n] as number);
      });
    }
  }
}
