import { memo, useEffect, useEffectEvent } from 'react';
import type { AlertItem } from '../data/queries.ts';
import table from '../parts/data-table.module.css';
import { ROW_LINK } from '../parts/row-link.ts';
import { useRowCursor } from '../parts/use-row-cursor.ts';
import { useVirtualRows } from '../parts/use-virtual-rows.ts';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { AlertCell, type CellActions } from './alert-cells.tsx';
import { type ColumnName, layoutOf } from './columns.ts';
import type { Sort } from './filters.ts';
import { TableHead } from './table-head.tsx';
import type { AlertRows } from './use-alert-pages.ts';
import type { ToggleRow } from './use-selection.ts';
import styles from './alert-table.module.css';

const ROW_HEIGHTS = { row: 34, tallRow: 54 };
/** Browsers cannot lay out taller elements; further rows are reached by narrowing the filters. */
const MAX_ROWS = 300_000;
/** Rows before and after the window that are loaded too. */
const LOAD_AHEAD = 100;

interface AlertTableProps {
  loaded: AlertRows;
  total: number;
  sort: Sort;
  columns: ColumnName[];
  /** Must stay the same object, because the rows are memoized. */
  actions: CellActions;
  selected: ReadonlyMap<string, AlertItem>;
  onSelect: ToggleRow;
  openId: string | undefined;
  /** Called with the first and last row that the table needs, whenever they change. */
  onRows: (first: number, last: number) => void;
  onSort: (sort: Sort) => void;
}

/** A virtual table of all matching alerts. Rows that are not loaded yet keep their place. */
export function AlertTable({
  loaded,
  total,
  sort,
  columns,
  actions,
  selected,
  onSelect,
  openId,
  onRows,
  onSort,
}: AlertTableProps) {
  const count = Math.min(total, MAX_ROWS);
  const virtual = useVirtualRows(count, ROW_HEIGHTS);
  const { virtualizer, rowHeight } = virtual;
  const rows = virtualizer.getVirtualItems();
  const firstRow = Math.max(0, (rows[0]?.index ?? 0) - LOAD_AHEAD);
  const lastRow = Math.min(count - 1, (rows.at(-1)?.index ?? 0) + LOAD_AHEAD);
  const requestRows = useEffectEvent(onRows);
  useEffect(() => requestRows(firstRow, lastRow), [firstRow, lastRow]);

  const openAt = (index: number, isFocused: boolean) => {
    const alert = loaded.at(index);
    if (alert) actions.onOpen(alert, isFocused);
  };
  const openIndex = openId === undefined ? -1 : loaded.indexOf(openId);
  const cursor = useRowCursor({
    rowCount: loaded.count,
    openIndex,
    onMove: (index) => {
      virtualizer.scrollToIndex(index);
      // An open panel follows the cursor.
      if (openId !== undefined) openAt(index, false);
    },
    onOpen: (index) => openAt(index, true),
    onSelect: (index) => onSelect(index, false),
  });
  // The alert that its panel moves on to may be out of the window.
  const scrollTo = useEffectEvent((index: number) => virtualizer.scrollToIndex(index));
  useEffect(() => {
    if (openIndex >= 0) scrollTo(openIndex);
  }, [openIndex]);
  const { tracks, width } = layoutOf(columns);

  return (
    <VirtualTable
      label="Alerts"
      className={styles.table}
      layout={{ '--chosen-columns': tracks, '--chosen-width': width }}
      rowCount={total}
      virtual={virtual}
      head={<TableHead columns={columns} sort={sort} onSort={onSort} />}
    >
      {rows.map(({ index, start }) => {
        const alert = loaded.at(index);
        return (
          <Row
            key={index}
            alert={alert}
            index={index}
            start={start - virtual.offset}
            height={rowHeight}
            columns={columns}
            actions={actions}
            isOpen={index === openIndex}
            hasCursor={index === cursor}
            isSelected={alert !== undefined && selected.has(alert.id)}
            onSelect={onSelect}
          />
        );
      })}
    </VirtualTable>
  );
}

interface RowProps {
  /** Undefined while it is not loaded. */
  alert: AlertItem | undefined;
  index: number;
  start: number;
  height: number;
  columns: ColumnName[];
  actions: CellActions;
  isOpen: boolean;
  hasCursor: boolean;
  isSelected: boolean;
  onSelect: ToggleRow;
}

/** Memoized: a scroll renders only the rows that come into view. */
const Row = memo(function Row(props: RowProps) {
  const { alert, index, start, height, columns, actions, isOpen, hasCursor, isSelected, onSelect } = props;
  return (
    <div
      role="row"
      // The header is row 1.
      aria-rowindex={index + 2}
      className={`${table.row} ${styles.row}`}
      data-open={isOpen}
      data-cursor={hasCursor}
      data-selected={isSelected}
      style={{ transform: `translateY(${start}px)`, height }}
      {...ROW_LINK}
    >
      {alert ? (
        <>
          <span role="cell" className={styles.select} onClick={(event) => event.stopPropagation()}>
            <input
              type="checkbox"
              aria-label={`Select ${alert.title}`}
              checked={isSelected}
              // The mouse event has the modifier keys; the change has none.
              onClick={({ shiftKey }) => onSelect(index, shiftKey)}
              onChange={() => undefined}
            />
          </span>
          {columns.map((column) => (
            <AlertCell key={column} column={column} alert={alert} {...actions} />
          ))}
        </>
      ) : (
        <span className={styles.pending} role="cell">
          <span className="visually-hidden">Loading…</span>
        </span>
      )}
    </div>
  );
});
