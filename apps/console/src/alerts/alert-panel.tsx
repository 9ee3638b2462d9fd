import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { AlertNeighbors, type Neighbors } from './alert-neighbors.tsx';
import { AlertView } from './alert-view.tsx';
import type { Search } from '../search.ts';
import { narrowingOf } from './filters.ts';
import styles from './alert-panel.module.css';

interface AlertPanelProps {
  id: string;
  /** Number of times the keyboard opened an alert; each moves the focus into the panel. */
  focusRequests: number;
  neighbors: Neighbors | undefined;
  onClose: () => void;
}

/** An alert next to the list. */
export function AlertPanel({ id, focusRequests, neighbors, onClose }: AlertPanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
  }, [id]);
  useEffect(() => {
    if (focusRequests > 0) panel.current?.focus({ preventScroll: true });
  }, [focusRequests]);
  return (
    <aside ref={panel} className={styles.panel} aria-label="Alert" tabIndex={-1}>
      <div className={styles.bar}>
        <Link to="/alerts/$id" params={{ id }} search={narrowingOf}>
          Open as a page
        </Link>
        <AlertNeighbors neighbors={neighbors} linkTo={linkTo} />
        <button type="button" onClick={onClose} aria-label="Close the alert">
          Close
        </button>
      </div>
      <AlertView id={id} />
    </aside>
  );
}

function linkTo(alert: string) {
  return { to: '/alerts', search: (search: Search) => ({ ...search, alert }), resetScroll: false } as const;
}
