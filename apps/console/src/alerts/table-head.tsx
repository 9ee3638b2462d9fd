import table from '../parts/data-table.module.css';
import { type ColumnName, COLUMNS } from './columns.ts';
import type { Sort } from './filters.ts';
import styles from './alert-table.module.css';

interface TableHeadProps {
  columns: ColumnName[];
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** The column titles; those that the API sorts by are buttons. */
export function TableHead({ columns, sort, onSort }: TableHeadProps) {
  return (
    <div className={`${table.head} ${styles.head}`} role="row" aria-rowindex={1}>
      <span role="columnheader" className={styles.select}>
        <span className="visually-hidden">Selected</span>
      </span>
      {columns.map((name) => {
        const { title, sorts } = COLUMNS[name] as { title: string; sorts?: readonly [Sort, Sort] };
        const isSorted = sorts?.includes(sort) ?? false;
        const direction = directionOf(sort);
        return (
          <span
            key={name}
            role="columnheader"
            data-column={name}
            {...(isSorted && { 'aria-sort': direction })}
          >
            {sorts === undefined ? (
              title
            ) : (
              <button type="button" onClick={() => onSort(sort === sorts[0] ? sorts[1] : sorts[0])}>
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
