import { type ReactNode, useState } from 'react';
import styles from './filter-drawer.module.css';

/** The filters of a view: always open where there is room, behind a summary on a phone. */
export function FilterDrawer({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(() => window.matchMedia('(min-width: 48rem)').matches);
  return (
    <details
      className={styles.drawer}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Filters</summary>
      <aside className={styles.filters} aria-label="Filters">
        {children}
      </aside>
    </details>
  );
}
