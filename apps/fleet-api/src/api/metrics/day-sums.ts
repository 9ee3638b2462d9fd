import { SUM_COLUMNS, type SumColumn } from '../../model/metrics/measures.ts';

export const DAY_COLUMNS = SUM_COLUMNS.map((column) => `d.${column}`).join(', ');
/** The columns of all rows `d` of a day, separated by commas, for `DaySums`. */
export const DAY_SUMS = `concat_ws(',', ${SUM_COLUMNS.map((column) => `sum(d.${column}::float8)`).join(', ')})`;

/** The sums of each day of a window. */
export class DaySums {
  /** For each column, the value of each day. */
  private readonly columns: number[][];

  /**
   * @param parts the number of each day in the window and its sums, separated by commas; they add up. Null without rows
   * @param length number of days in the window
   */
  constructor(parts: readonly (string | null)[], length: number) {
    this.columns = SUM_COLUMNS.map(() => new Array<number>(length).fill(0));
    for (const part of parts) if (part !== null) this.add(part);
  }

  column(name: SumColumn): number[] {
    return this.columns[SUM_COLUMNS.indexOf(name)] as number[];
  }

  private add(rows: string): void {
    const numbers = JSON.parse(`[${rows}]`) as number[];
    for (let at = 0; at < numbers.length;) {
      const day = numbers[at++] as number;
      for (const column of this.columns) column[day] = (column[day] as number) + (numbers[at++] as number);
    }
  }
}
