import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { alertTypeTitle } from '../data/format.ts';
import type { AlertItem } from '../data/queries.ts';
import { SeverityMark } from '../parts/marks.tsx';
import { Time } from '../parts/time.tsx';
import { isTextField } from '../shell/use-shortcuts.ts';
import styles from './alert-table.module.css';

const ROW_HEIGHT = 34;
/** Browsers cannot lay out taller elements; further rows are reached by narrowing the filters. */
const MAX_ROWS = 500_000;

interface AlertTableProps {
  alerts: AlertItem[];
  total: number;
  openId: string | undefined;
  /** Called while rows without data are in view. */
  onMissingRows: () => void;
  onOpen: (alert: AlertItem) => void;
}

/** A virtual table of all matching alerts. Rows that are not loaded yet keep their place. */
export function AlertTable({ alerts, total, openId, onMissingRows, onOpen }: AlertTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState(-1);
  const virtualizer = useVirtualizer({
    count: Math.min(total, MAX_ROWS),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const rows = virtualizer.getVirtualItems();
  const lastIndex = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (lastIndex >= alerts.length) onMissingRows();
  }, [lastIndex, alerts.length, onMissingRows]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTextField(event.target)) return;
      if (event.key === 'j' || event.key === 'k') {
        const next = Math.max(0, Math.min(alerts.length - 1, cursor + (event.key === 'j' ? 1 : -1)));
        setCursor(next);
        virtualizer.scrollToIndex(next);
      } else if (event.key === 'Enter' && document.activeElement === document.body) {
        const alert = alerts[cursor];
        if (alert) onOpen(alert);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [alerts, cursor, virtualizer, onOpen]);

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      role="table"
      aria-rowcount={total}
      aria-label="Alerts"
    >
      <div className={styles.head} role="row">
        {['Severity', 'Time', 'Alert', 'Type', 'Host', 'State'].map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      <div className={styles.body} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const alert = alerts[index];
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 1}
              className={styles.row}
              data-open={alert !== undefined && alert.id === openId}
              data-cursor={index === cursor}
              style={{ transform: `translateY(${start}px)`, height: ROW_HEIGHT }}
              onClick={() => alert && onOpen(alert)}
            >
              {alert ? (
                <Cells alert={alert} onOpen={onOpen} />
              ) : (
                <span className={styles.pending} role="cell" />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Cells({ alert, onOpen }: { alert: AlertItem; onOpen: (alert: AlertItem) => void }) {
  return (
    <>
      <span role="cell">
        <SeverityMark severity={alert.severity} />
      </span>
      <span role="cell" className={styles.quiet}>
        <Time iso={alert.created_at} />
      </span>
      <span role="cell" className={styles.title}>
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation();
            onOpen(alert);
          }}
        >
          <bdi>{alert.title}</bdi>
        </button>
      </span>
      <span role="cell" className={styles.quiet}>
        {alertTypeTitle(alert.type)}
      </span>
      <span role="cell">
        <bdi>{alert.hostname ?? ''}</bdi>
      </span>
      <span role="cell" className={styles.quiet}>
        {alert.state}
      </span>
    </>
  );
}
