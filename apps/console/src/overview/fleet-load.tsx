import { Link } from '@tanstack/react-router';
import { formatCount, formatMeasure } from '../data/format.ts';
import type { Gpu } from '../data/queries.ts';
import { loadOf } from '../gpus/load.ts';
import styles from './overview.module.css';

/** How busy the fleet was: the mean utilization of GPUs with telemetry, and how many of them were idle. */
export function FleetLoad({ gpus }: { gpus: Gpu[] }) {
  const known = gpus.flatMap(({ utilization_pct: percent }) => percent ?? []);
  if (known.length === 0) return null;
  const mean = known.reduce((sum, percent) => sum + percent, 0) / known.length;
  const idleCount = gpus.filter((gpu) => loadOf(gpu) === 'idle').length;
  return (
    <p className={styles.load}>
      <Link to="/gpus" search={{ color: 'utilization' }}>
        {formatMeasure(mean, '%')} mean utilization
      </Link>{' '}
      in the last 24 hours,{' '}
      <Link to="/gpus" search={{ load: 'idle', view: 'table', sort: '-utilization' }}>
        {formatCount(idleCount)} of {formatCount(known.length)} GPUs idle
      </Link>
    </p>
  );
}
