import type { CSSProperties, ReactNode } from 'react';
import styles from './data-table.module.css';
import type { VirtualRows } from './use-virtual-rows.ts';

interface VirtualTableProps {
  label: string;
  /** Sets the columns (data-table.module.css). */
  className: string | undefined;
  /** Custom properties of columns that a person chooses. */
  layout?: Record<`--${string}`, string>;
  rowCount: number;
  virtual: VirtualRows;
  /** The row of titles. */
  head: ReactNode;
  /** The rows in the window. */
  children: ReactNode;
}

/** A table that scrolls and has elements only for the rows in its window. */
export function VirtualTable({
  label,
  className,
  layout,
  rowCount,
  virtual,
  head,
  children,
}: VirtualTableProps) {
  return (
    <div
      ref={virtual.scroller}
      className={`${styles.scroller} ${className}`}
      {...(layout && { style: layout as CSSProperties })}
      tabIndex={0}
      role="table"
      aria-label={label}
      // The titles are row 1.
      aria-rowcount={rowCount + 1}
    >
      <div role="rowgroup" className={styles.top}>
        {head}
      </div>
      <div className={styles.body} role="rowgroup" style={{ height: virtual.virtualizer.getTotalSize() }}>
        {children}
      </div>
    </div>
  );
}
