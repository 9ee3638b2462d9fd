import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import styles from './filter-panel.module.css';
import { useFilterSheet } from './use-filter-sheet.ts';
import { useMedia } from './use-media.ts';

interface FilterPanelProps {
  /** Number of filters that are set. */
  count: number;
  /** Number of results with its noun, such as `12 alerts`; empty until it is known. */
  resultText: string;
  /** Removes all filters; undefined without filters. */
  onClear: (() => void) | undefined;
  children: ReactNode;
}

/** The filters of a view: next to the list where there is room, a sheet over the whole screen on a phone. */
export function FilterPanel(props: FilterPanelProps) {
  const isWide = useMedia('(min-width: 48.01rem)');
  return isWide ? <WidePanel {...props} /> : <FilterSheet {...props} />;
}

function WidePanel({ onClear, children }: FilterPanelProps) {
  return (
    <section className={styles.panel} aria-label="Filters">
      {/* In a row of its own height, the button moves no filter when it appears. */}
      <div className={styles.bar}>
        <h2>Filters</h2>
        <ClearButton onClear={onClear} />
      </div>
      {children}
    </section>
  );
}

function FilterSheet({ count, resultText, onClear, children }: FilterPanelProps) {
  const { isOpen, open, close } = useFilterSheet();
  return (
    <>
      <button type="button" className={styles.open} aria-haspopup="dialog" onClick={open}>
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </button>
      {isOpen ? (
        <Dialog title="Filters" isSheet onClose={close}>
          <div className={styles.filters}>{children}</div>
          <div className={styles.buttons}>
            <ClearButton onClear={onClear} />
            <button type="button" data-variant="primary" onClick={close}>
              Show {resultText || 'the results'}
            </button>
            <span className="visually-hidden" role="status">
              {resultText}
            </span>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}

function ClearButton({ onClear }: Pick<FilterPanelProps, 'onClear'>) {
  if (onClear === undefined) return null;
  return (
    <button type="button" onClick={onClear}>
      Clear filters
    </button>
  );
}
