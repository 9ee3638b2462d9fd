import type { ReactNode } from 'react';
import styles from './panel.module.css';

/** A titled section of a view, separated by a rule rather than a card. */
export function Panel({
  title,
  aside,
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.panel}>
      <header>
        <h2>{title}</h2>
        {aside === undefined ? null : <div className={styles.aside}>{aside}</div>}
      </header>
      {children}
    </section>
  );
}
