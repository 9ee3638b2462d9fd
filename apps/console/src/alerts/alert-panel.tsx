import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { AlertView } from './alert-view.tsx';
import styles from './alert-panel.module.css';

/** An alert next to the list. */
export function AlertPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
  }, [id]);
  return (
    <aside ref={panel} className={styles.panel} aria-label="Alert" tabIndex={-1}>
      <div className={styles.bar}>
        <Link to="/alerts/$id" params={{ id }}>
          Open as a page
        </Link>
        <button type="button" onClick={onClose} aria-label="Close the alert">
          Close
        </button>
      </div>
      <AlertView id={id} />
    </aside>
  );
}
