import { Link } from '@tanstack/react-router';
import { AlertView } from './alert-view.tsx';
import styles from './alert-panel.module.css';

/** An alert beside the list. */
export function AlertPanel({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <aside className={styles.panel} aria-label="Alert">
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
