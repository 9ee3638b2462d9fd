import { type ReactNode, useEffect, useState } from 'react';
import styles from './filter-drawer.module.css';
import { useMedia } from './use-media.ts';

/** The filters of a view: always open where there is room, behind a summary on a phone. */
export function FilterDrawer({ title = 'Filters', children }: { title?: string; children: ReactNode }) {
  const isWide = useMedia('(min-width: 48.01rem)');
  const [isOpen, setOpen] = useState(isWide);
  useEffect(() => setOpen(isWide), [isWide]);
  return (
    <details
      className={styles.drawer}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      <section className={styles.filters} aria-label="Filters">
        {children}
      </section>
    </details>
  );
}
