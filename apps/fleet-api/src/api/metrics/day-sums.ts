import { SEVERITIES } from '@gpu-observatory/domain-types';
import { MEANS, TOTALS } from '../../model/metrics/measures.ts';

const COLUMNS: readonly string[] = [
  ...MEANS.flatMap((mean) => [`${mean}_sum`, `${mean}_n`]),
  'health_score_ms',
  'health_ms',
  ...TOTALS,
  ...SEVERITIES.map((severity) => `alerts_${severity}`),
];

/** Format of `array_send`: dimensions, flags, element type, length and lower bound, then the length and value of each element. */
const ARRAY_HEADER_BYTES = 20;
const ELEMENT_HEADER_BYTES = 4;
const ELEMENT_BYTES = ELEMENT_HEADER_BYTES + Float64Array.BYTES_PER_ELEMENT;
/** The number of the day, and the columns. */
const ROW_BYTES = ARRAY_HEADER_BYTES + (1 + COLUMNS.length) * ELEMENT_BYTES;

const COLUMNS_SQL = COLUMNS.map((column) => `d.${column}`).join(', ');
const SUMS_SQL = COLUMNS.map((column) => `sum(d.${column}::float8) AS ${column}`).join(', ');
const ROW_SQL = ['day.number::float8', ...COLUMNS.map((column) => `day.${column}`)].join(', ');

/**
 * Returns a statement for the sums of each day, for `DaySums`. Binary, because texts and their parsing took a third of a request.
 *
 * @param rowsOf returns the rows of `fleet.metric_days` with these columns
 * @param dayNumber expression for the number of `d.day` in the window, from 0
 */
export function daySumsSql(rowsOf: (columns: string) => string, dayNumber: string): string {
  return `SELECT string_agg(array_send(ARRAY[${ROW_SQL}]), '')
    FROM (SELECT ${dayNumber} AS number, ${SUMS_SQL} FROM (${rowsOf(COLUMNS_SQL)}) AS d GROUP BY d.day) AS day`;
}

/** The sums of each day of a window. */
export class DaySums {
  /** For each column, the value of each day. */
  private readonly columns: number[][];

  /**
   * @param parts results of `daySumsSql`, which add up; null without rows
   * @param length number of days in the window
   */
  constructor(parts: readonly (Buffer | null)[], length: number) {
    this.columns = COLUMNS.map(() => new Array<number>(length).fill(0));
    for (const part of parts) if (part !== null) this.add(part);
  }

  column(name: string): number[] {
    return this.columns[COLUMNS.indexOf(name)] as number[];
  }

  private add(rows: Buffer): void {
    const view = new DataView(rows.buffer, rows.byteOffset, rows.length);
    for (let row = 0; row < rows.length; row += ROW_BYTES) {
      let at = row + ARRAY_HEADER_BYTES + ELEMENT_HEADER_BYTES;
      const day = view.getFloat64(at);
      for (const column of this.columns) {
        at += ELEMENT_BYTES;
        column[day] = (column[day] as number) + view.getFloat64(at);
      }
    }
  }
}
