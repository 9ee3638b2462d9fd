import { Link } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import type { Gpu } from '../data/queries.ts';
import { HealthMark, HEALTHS } from '../parts/marks.tsx';
import styles from './overview.module.css';

/** The number of GPUs in each health, each a link to them. */
export function HealthCounts({ gpus }: { gpus: Gpu[] }) {
  const counts = { critical: 0, degraded: 0, missing: 0, healthy: 0 };
  for (const { health } of gpus) counts[health] += 1;
  return (
    <dl className={styles.counts}>
      <div>
        <dt>GPUs</dt>
        <dd>
          <Link to="/gpus">{formatCount(gpus.length)}</Link>
        </dd>
      </div>
      {HEALTHS.map((health) => (
        <div key={health}>
          <dt>
            <HealthMark health={health} />
          </dt>
          <dd>
            <Link to="/gpus" search={{ health }}>
              {formatCount(counts[health])}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}
