import { Link } from '@tanstack/react-router';
import type { AlertItem } from '../data/queries.ts';
import { SeverityMark } from '../parts/marks.tsx';
import { Time } from '../parts/time.tsx';
import styles from './lists.module.css';

interface AlertRowsProps {
  alerts: AlertItem[];
  /** Index of the first alert that only wide screens show. */
  wideFrom?: number;
}

/** Alerts in the order given: severity, title, host and time. */
export function AlertRows({ alerts, wideFrom = Infinity }: AlertRowsProps) {
  return (
    <ul className={styles.rows}>
      {alerts.map((alert, n) => (
        <li key={alert.id} data-wide={n >= wideFrom}>
          <SeverityMark severity={alert.severity} />
          <span className={styles.main}>
            <Link to="/alerts/$id" params={{ id: alert.id }}>
              <bdi>{alert.title}</bdi>
            </Link>
          </span>
          <Time iso={alert.created_at} />
          <span className={styles.why}>
            <bdi>{alert.hostname ?? 'no host'}</bdi>
          </span>
        </li>
      ))}
    </ul>
  );
}
