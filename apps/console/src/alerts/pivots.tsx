import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { entitiesOf } from './entities.ts';
import { alertsOfHost } from './filters.ts';
import styles from './pivots.module.css';

interface PivotsProps {
  text: string;
  /** The host of the alert: a PID has a meaning there only. */
  hostname: string | null;
}

/** A text whose PIDs, addresses, files and domains are links to the alerts that mention them. */
export function Pivots({ text, hostname }: PivotsProps) {
  const parts = entitiesOf(text);
  return (
    <bdi>
      {parts.map(({ text: part, isEntity }, n) =>
        // The view has links to the host itself.
        isEntity && part !== hostname ? (
          <Link
            key={n}
            to="/alerts"
            search={{ q: part, ...(/^pid/i.test(part) && hostname !== null && alertsOfHost(hostname)) }}
            preload={false}
            className={styles.pivot ?? ''}
            title={`Alerts that mention ${part}`}
          >
            {part}
          </Link>
        ) : (
          <Fragment key={n}>{part}</Fragment>
        ),
      )}
    </bdi>
  );
}
