import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { DAY_MS, HOUR_MS } from '../data/durations.ts';
import type { AlertDetail } from '../data/queries.ts';
import { isoOf } from '../data/window.ts';
import type { Search } from '../search.ts';
import { entitiesOf } from './entities.ts';
import { alertsOfHost } from './filters.ts';
import styles from './pivots.module.css';

type Place = Pick<AlertDetail, 'hostname' | 'created_at'>;

interface PivotsProps {
  text: string;
  alert: Place;
  /** Whether the search of alerts reads the text, as it does with descriptions. */
  isSearched?: boolean;
}

/** A text whose PIDs, addresses, files and domains are links to other alerts. */
export function Pivots({ text, alert, isSearched = false }: PivotsProps) {
  const parts = entitiesOf(text);
  return (
    <bdi>
      {parts.map(({ text: part, isEntity }, n) => {
        if (isEntity && /^pid/i.test(part))
          return <PidPivot key={n} text={part} alert={alert} isSearched={isSearched} />;
        // The view has links to the host itself.
        return isEntity && part !== alert.hostname ? (
          <Link
            key={n}
            to="/alerts"
            search={{ q: part }}
            preload={false}
            className={styles.pivot ?? ''}
            title={`Alerts that mention ${part}`}
          >
            {part}
          </Link>
        ) : (
          <Fragment key={n}>{part}</Fragment>
        );
      })}
    </bdi>
  );
}

/**
 * A PID as a link. It has a meaning on its host and for some time only. No search reads the PIDs of details and events, so
 * their links show all alerts of the host near this one.
 */
export function PidPivot({ text, alert, isSearched = false }: PivotsProps) {
  const { hostname, created_at } = alert;
  if (hostname === null) return text;
  return (
    <Link
      to="/alerts"
      search={pidSearch(text, hostname, Date.parse(created_at), isSearched)}
      preload={false}
      className={styles.pivot ?? ''}
      title={
        isSearched
          ? `Alerts of this host that mention ${text}, a day before and after`
          : 'Alerts of this host, an hour before and after'
      }
    >
      {text}
    </Link>
  );
}

function pidSearch(text: string, hostname: string, atMs: number, isSearched: boolean): Search {
  const reachMs = isSearched ? DAY_MS : HOUR_MS;
  return {
    ...(isSearched && { q: text }),
    ...alertsOfHost(hostname),
    from: isoOf(atMs - reachMs),
    to: isoOf(atMs + reachMs),
  };
}
