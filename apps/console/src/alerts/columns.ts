import { listOf } from '../parts/value-list.ts';
import type { Search } from '../search.ts';
import type { Sort } from './filters.ts';

interface Column {
  title: string;
  /** Track of the grid. */
  width: string;
  /** Smallest width in rem, for the width of the table. */
  rem: number;
  /** Sort of the first click, and of the second; the API cannot sort by the other columns. */
  sorts?: readonly [first: Sort, second: Sort];
  /** Whether it is shown without a choice. */
  isInitial: boolean;
}

/** The columns in their order. Time, alert and severity are always shown. */
export const COLUMNS = {
  severity: column('Severity', 6, '', ['severity', '-severity']),
  time: column('Time', 6.5, '', ['-timestamp', 'timestamp']),
  alert: column('Alert', 14, '2.7fr'),
  type: column('Type', 8, '1.4fr', ['type', '-type']),
  host: column('Host', 10, '1.6fr', ['hostname', '-hostname']),
  state: column('State', 4, '', ['state', '-state']),
  workspace: { ...column('Workspace', 7, '1fr'), isInitial: false },
  gpu: { ...column('GPU', 9, '1.2fr'), isInitial: false },
  serial: { ...column('GPU serial', 8, '1fr'), isInitial: false },
  key: { ...column('API key', 4, ''), isInitial: false },
} satisfies Record<string, Column>;
export type ColumnName = keyof typeof COLUMNS;

const NAMES = Object.keys(COLUMNS) as ColumnName[];
/** Columns that a person may hide. */
export const CHOSEN_COLUMNS = NAMES.slice(3);
const INITIAL = NAMES.filter((name) => COLUMNS[name].isInitial);

/** Width of the column of checkboxes and of the gap between columns, in rem. */
const CHECKBOX_REM = 1.25;
const GAP_REM = 1;

function column(title: string, rem: number, share: string, sorts?: readonly [Sort, Sort]): Column {
  const width = share === '' ? `${rem}rem` : `minmax(${rem}rem, ${share})`;
  return { title, width, rem, isInitial: true, ...(sorts && { sorts }) };
}

/** Returns the columns of a search, in `columns`: those that are not always shown. */
export function columnsOf({ columns }: Search): ColumnName[] {
  if (columns === undefined) return INITIAL;
  const chosen = listOf(columns);
  return NAMES.filter((name) => !CHOSEN_COLUMNS.includes(name) || chosen.includes(name));
}

/** Shows or hides a column; the URL has the columns if they are not the initial ones. */
export function withColumn(search: Search, name: ColumnName): Search {
  const shown = columnsOf(search);
  const next = NAMES.filter((each) => (each === name ? !shown.includes(each) : shown.includes(each)));
  const isInitial = next.join() === INITIAL.join();
  const chosen = next.filter((each) => CHOSEN_COLUMNS.includes(each));
  // An empty parameter would be dropped from the URL.
  return { ...search, columns: isInitial ? undefined : chosen.join(',') || 'none' };
}

/** Returns the tracks and the smallest width of the table. */
export function layoutOf(columns: ColumnName[]): { tracks: string; width: string } {
  const rem = columns.reduce((sum, name) => sum + COLUMNS[name].rem + GAP_REM, CHECKBOX_REM);
  return {
    tracks: [`${CHECKBOX_REM}rem`, ...columns.map((name) => COLUMNS[name].width)].join(' '),
    width: `${rem}rem`,
  };
}
