import { HEALTHS, HealthMark } from '../parts/marks.tsx';
import { type Coloring, FULL } from './draw-host-grid.ts';
import styles from './host-grid.module.css';

/** What the colors of the grid mean. */
export function GridLegend({ coloring }: { coloring: Coloring }) {
  if (coloring === 'health') {
    return (
      <p className={styles.legend}>
        {HEALTHS.map((health) => (
          <HealthMark key={health} health={health} />
        ))}
      </p>
    );
  }
  return (
    <p className={styles.legend}>
      <span>0 {coloring === 'temperature' ? '°C' : '%'}</span>
      <span className={styles.scale} data-coloring={coloring} aria-hidden="true" />
      <span>
        {FULL[coloring]} {coloring === 'temperature' ? '°C and more' : '%'}, mean of 24 hours
      </span>
      <span className={styles.empty}>no data</span>
    </p>
  );
}
