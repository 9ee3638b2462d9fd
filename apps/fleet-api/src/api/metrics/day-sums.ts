import { SUM_COLUMNS, type SumColumn } from '../../model/metrics/measures.ts';

/** The columns that `METRIC_SUMS_TEXT` adds up. */
export const METRIC_SUM_COLUMNS = SUM_COLUMNS.map((column) => `d.${column}`).join(', ');

/**
 * The sums of all rows `d` of a day, separated by commas, for `daySumsOf`. The columns are NOT NULL: `concat_ws` would skip a null
 * and shift the values after it.
 */
export const METRIC_SUMS_TEXT = `concat_ws(',', ${SUM_COLUMNS.map((column) => `sum(d.${column}::float8)`).join(', ')})`;

/** For each column, its sum on each day of a window. */
export type DaySums = Record<SumColumn, number[]>;

/**
 * Returns the sums of each day, added up over the parts.
 *
 * @param parts lists of numbers such as `0,12,3,…,1,40,2,…`: for each day its number in the window, then the values of `SUM_COLUMNS`.
 * Values of the same day add up. A part without days is null
 */
export function daySumsOf(parts: readonly (string | null)[], dayCount: number): DaySums {
  const columns = SUM_COLUMNS.map(() => new Array<number>(dayCount).fill(0));
  const width = 1 + SUM_COLUMNS.length;
  for (const part of parts) {
    const numbers = JSON.parse(`[${part ?? ''}]`) as number[];
    for (let start = 0; start < numbers.length; start += width) {
      const day = numbers[start] as number;
      columns.forEach((column, n) => {
        column[day] = (column[day] as number) + (numbers[start + 1 + n] as number);
      });
    }
  }
  return Object.fromEntries(SUM_COLUMNS.map((column, n) => [column, columns[n]])) as DaySums;
}
