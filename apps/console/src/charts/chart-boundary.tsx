import { CatchBoundary } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './chart-boundary.module.css';

interface ChartBoundaryProps {
  /** What the chart shows, for the message in its place. */
  title: string;
  children: ReactNode;
}

/** Replaces a chart that fails by a message; the rest of the view stays. */
export function ChartBoundary({ title, children }: ChartBoundaryProps) {
  return (
    <CatchBoundary
      getResetKey={() => title}
      errorComponent={({ error }) => (
        <p role="alert" className={styles.failed}>
          The chart “{title}” cannot be drawn. <small>{String(error)}</small>
        </p>
      )}
    >
      {children}
    </CatchBoundary>
  );
}
