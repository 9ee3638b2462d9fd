import { Link } from '@tanstack/react-router';
import type { AlertItem } from '../data/queries.ts';
import { HostLink } from './host-link.tsx';
import { SeverityMark } from './marks.tsx';
import { Time } from './time.tsx';
import styles from './rows.module.css';

interface AlertRowsProps {
  alerts: AlertItem[];
  /** Index of the first alert that only wide screens show. */
  wideFrom?: number;
  /** Whether the host is shown; false where all alerts have the same one. */
  withHost?: boolean;
}

/** Alerts in the order given: severity, title, host and time. */
export function AlertRows({ alerts, wideFrom = Infinity, withHost = true }: AlertRowsProps) {
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
          {withHost ? (
            <span className={styles.why}>
              <HostLink hostname={alert.hostname ?? ''} unknown="no host" />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
