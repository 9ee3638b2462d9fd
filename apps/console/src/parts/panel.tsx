import type { ReactNode } from 'react';
import { StaleNote } from './loaded.tsx';
import styles from './panel.module.css';

interface PanelProps {
  title: ReactNode;
  aside?: ReactNode;
  /** Whether it shows data that imports change, which it marks while no update arrives. */
  isLive?: boolean;
  children: ReactNode;
}

/** A titled section of a view, separated by a rule rather than a card. */
export function Panel({ title, aside, isLive = false, children }: PanelProps) {
  return (
    <section className={styles.panel}>
      <header>
        <h2>{title}</h2>
        <div className={styles.aside}>
          {isLive ? <StaleNote /> : null}
          {aside}
        </div>
      </header>
      {children}
    </section>
  );
}
