import type { Sort } from './filters.ts';
import table from '../parts/data-table.module.css';
import styles from './alert-table.module.css';

/** Title, sort of the first click, and sort of the second; a column without sorts cannot be sorted by the API. */
const COLUMNS: [title: string, first?: Sort, second?: Sort][] = [
  ['Severity', 'severity', '-severity'],
  ['Time', '-timestamp', 'timestamp'],
  ['Alert'],
  ['Type', 'type', '-type'],
  ['Host', 'hostname', '-hostname'],
  ['State', 'state', '-state'],
];

/** The column titles; those that the API sorts by are buttons. */
export function TableHead({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  return (
    <div className={`${table.head} ${styles.head}`} role="row" aria-rowindex={1}>
      {COLUMNS.map(([title, first, second]) => {
        const isSorted = sort === first || sort === second;
        const direction = directionOf(sort);
        return (
          <span key={title} role="columnheader" {...(isSorted && { 'aria-sort': direction })}>
            {first === undefined || second === undefined ? (
              title
            ) : (
              <button type="button" onClick={() => onSort(sort === first ? second : first)}>
                {title}
                <span aria-hidden="true">{isSorted ? (direction === 'descending' ? ' ↓' : ' ↑') : ''}</span>
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}

/** The API sorts severity from critical to info; a person reads that order as descending. */
function directionOf(sort: Sort): 'ascending' | 'descending' {
  const isDescending = sort === 'severity' || (sort.startsWith('-') && sort !== '-severity');
  return isDescending ? 'descending' : 'ascending';
}
