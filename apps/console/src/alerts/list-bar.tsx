import type { AlertItem } from '../data/queries.ts';
import { formatCount } from '../data/format.ts';
import { Menu } from '../parts/menu.tsx';
import { useCopy } from '../parts/use-copy.ts';
import type { Search } from '../search.ts';
import { ALERT_FORMATS, type AlertFormat } from './alert-text.ts';
import { CHOSEN_COLUMNS, COLUMNS, columnsOf, withColumn } from './columns.ts';
import { viewOf } from './filters.ts';
import { groupingOf, GROUPINGS } from './groupings.ts';
import styles from './list-bar.module.css';
import { ViewsMenu } from './views-menu.tsx';

interface ListBarProps {
  search: Search;
  selected: ReadonlyMap<string, AlertItem>;
  onClear: () => void;
  onChange: (change: (search: Search) => Search, replace?: boolean) => void;
}

/** What is done with the list: grouping, columns, saved views and copies. */
export function ListBar({ search, selected, onClear, onChange }: ListBarProps) {
  const [status, copy] = useCopy();
  const grouping = groupingOf(search);
  const count = selected.size;
  const alerts = `${formatCount(count)} ${count === 1 ? 'alert' : 'alerts'}`;
  const copyAs = (format: AlertFormat) =>
    void copy(ALERT_FORMATS[format]([...selected.values()]), `Copied ${alerts} as ${format}.`);
  return (
    <div className={styles.bar}>
      {count > 0 ? (
        <span className={styles.group} role="group" aria-label="Selected alerts">
          <strong>{formatCount(count)} selected</strong>
          {(Object.keys(ALERT_FORMATS) as AlertFormat[]).map((format) => (
            <button key={format} type="button" onClick={() => copyAs(format)}>
              Copy {format}
            </button>
          ))}
          <button type="button" onClick={onClear}>
            Clear selection
          </button>
        </span>
      ) : (
        <label className={styles.group}>
          Group by
          <select
            value={grouping ?? ''}
            onChange={({ target }) =>
              onChange((current) => ({ ...current, group: target.value || undefined, alert: undefined }))
            }
          >
            <option value="">nothing</option>
            {Object.entries(GROUPINGS).map(([value, { title }]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <span className={styles.status} role="status">
        {status}
      </span>
      <span className={styles.group}>
        {grouping === undefined ? (
          <span className={styles.columns}>
            <ColumnsMenu search={search} onChange={onChange} />
          </span>
        ) : null}
        <ViewsMenu current={viewOf(search)} />
        <button type="button" onClick={() => void copy(window.location.href, 'Copied the link.')}>
          Copy link
        </button>
      </span>
    </div>
  );
}

function ColumnsMenu({ search, onChange }: Pick<ListBarProps, 'search' | 'onChange'>) {
  const shown = columnsOf(search);
  return (
    <Menu title="Columns">
      {() =>
        CHOSEN_COLUMNS.map((name) => (
          <label key={name} className={styles.column}>
            <input
              type="checkbox"
              checked={shown.includes(name)}
              onChange={() => onChange((current) => withColumn(current, name), true)}
            />
            {COLUMNS[name].title}
          </label>
        ))
      }
    </Menu>
  );
}
