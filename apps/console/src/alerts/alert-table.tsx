import { Link } from '@tanstack/react-router';
import { memo, type MouseEvent, useEffect, useEffectEvent } from 'react';
import { alertTypeTitle } from '../data/format.ts';
import type { AlertItem } from '../data/queries.ts';
import table from '../parts/data-table.module.css';
import { SeverityMark } from '../parts/marks.tsx';
import { isPlainClick, ROW_LINK } from '../parts/row-link.ts';
import { Time } from '../parts/time.tsx';
import { useRowCursor } from '../parts/use-row-cursor.ts';
import { useVirtualRows } from '../parts/use-virtual-rows.ts';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { narrowingOf, type Sort } from './filters.ts';
import { TableHead } from './table-head.tsx';
import type { AlertRows } from './use-alert-pages.ts';
import styles from './alert-table.module.css';

const ROW_HEIGHTS = { row: 34, tallRow: 54 };
/** Browsers cannot lay out taller elements; further rows are reached by narrowing the filters. */
const MAX_ROWS = 300_000;
/** Rows before and after the window that are loaded too. */
const LOAD_AHEAD = 100;

/** Opens an alert; `isFocused` moves the focus into its panel, which only the keyboard needs. */
export type OpenAlert = (alert: AlertItem, isFocused: boolean) => void;

interface AlertTableProps {
  loaded: AlertRows;
  total: number;
  sort: Sort;
  openId: string | undefined;
  /** Called with the first and last row that the table needs, whenever they change. */
  onRows: (first: number, last: number) => void;
  onOpen: OpenAlert;
  onSort: (sort: Sort) => void;
}

/** A virtual table of all matching alerts. Rows that are not loaded yet keep their place. */
export function AlertTable({ loaded, total, sort, openId, onRows, onOpen, onSort }: AlertTableProps) {
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
    if (alert) onOpen(alert, isFocused);
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
  });

  return (
    <VirtualTable
      label="Alerts"
      className={styles.table}
      rowCount={total}
      virtual={virtual}
      head={<TableHead sort={sort} onSort={onSort} />}
    >
      {rows.map(({ index, start }) => (
        <Row
          key={index}
          alert={loaded.at(index)}
          index={index}
          start={start - virtual.offset}
          height={rowHeight}
          isOpen={index === openIndex}
          hasCursor={index === cursor}
          onOpen={onOpen}
        />
      ))}
    </VirtualTable>
  );
}

interface RowProps {
  /** Undefined while it is not loaded. */
  alert: AlertItem | undefined;
  index: number;
  start: number;
  height: number;
  isOpen: boolean;
  hasCursor: boolean;
  onOpen: OpenAlert;
}

/** Memoized: a scroll renders only the rows that come into view. */
const Row = memo(function Row({ alert, index, start, height, isOpen, hasCursor, onOpen }: RowProps) {
  return (
    <div
      role="row"
      // The header is row 1.
      aria-rowindex={index + 2}
      className={`${table.row} ${styles.row}`}
      data-open={isOpen}
      data-cursor={hasCursor}
      style={{ transform: `translateY(${start}px)`, height }}
      {...ROW_LINK}
    >
      {alert ? (
        <Cells alert={alert} onOpen={onOpen} />
      ) : (
        <span className={styles.pending} role="cell">
          <span className="visually-hidden">Loading…</span>
        </span>
      )}
    </div>
  );
});

/** A click opens the alert next to the list. Its link is its page, for another tab. */
function Cells({ alert, onOpen }: { alert: AlertItem; onOpen: OpenAlert }) {
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    // A click by the keyboard has no click count.
    onOpen(alert, event.detail === 0);
  };
  return (
    <>
      <span role="cell" className={`${table.mark} ${styles.severity}`}>
        <SeverityMark severity={alert.severity} />
      </span>
      <span role="cell" className={`${table.minor} ${styles.time}`}>
        <Time iso={alert.created_at} />
      </span>
      <span role="cell" className={styles.title}>
        <Link
          to="/alerts/$id"
          params={{ id: alert.id }}
          search={narrowingOf}
          preload={false}
          onClick={onClick}
        >
          <bdi title={alert.title}>{alert.title}</bdi>
        </Link>
      </span>
      <span role="cell" className={`${table.wide} ${styles.type}`} title={alertTypeTitle(alert.type)}>
        <bdi>{alertTypeTitle(alert.type)}</bdi>
      </span>
      <span role="cell" className={`${table.minor} ${styles.host}`} title={alert.hostname ?? ''}>
        <bdi>{alert.hostname ?? ''}</bdi>
      </span>
      <span role="cell" className={`${table.wide} ${styles.state}`}>
        {alert.state}
      </span>
    </>
  );
}
