import { Link } from '@tanstack/react-router';
import { alertsOfHost } from '../alerts/filters.ts';
import { DAY_MS, MINUTE_MS } from '../data/durations.ts';
import { alertTypeTitle, formatCount } from '../data/format.ts';
import type { GpuDetail } from '../data/queries.ts';
import { SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import { useNow } from '../parts/time.tsx';
import styles from './gpu-page.module.css';

/**
 * Alerts of the GPU in the last 24 hours, with links to those of its host in the same time: the API has no filter by GPU.
 */
export function GpuSecurity({ gpu }: { gpu: GpuDetail }) {
  const { alerts_24h, by_severity, by_type } = gpu.security_diagnostics;
  // Whole minutes keep the URL of a request the same for a minute, and its response cached.
  const fromMs = Math.floor((useNow() - DAY_MS) / MINUTE_MS) * MINUTE_MS;
  const onHost = { ...alertsOfHost(gpu.specs.hostname), from: new Date(fromMs).toISOString() };
  return (
    <Panel title="Alerts of this GPU, 24 hours" aside={`${formatCount(alerts_24h)} in all`}>
      {alerts_24h === 0 ? (
        <Empty title="No alert is about this GPU." />
      ) : (
        <>
          <p className={styles.quiet}>
            Counts are of this GPU. The links show all alerts of these 24 hours on this host.
          </p>
          <ul className={styles.severities}>
            {by_severity
              .filter(({ count }) => count > 0)
              .map(({ severity, count }) => (
                <li key={severity}>
                  <Link to="/alerts" search={{ severity, ...onHost }}>
                    <SeverityMark severity={severity} />
                    <OnHost />
                  </Link>{' '}
                  {formatCount(count)}
                </li>
              ))}
          </ul>
          <ul className={styles.list}>
            {by_type.map(({ type, count }) => (
              <li key={type}>
                <strong>{formatCount(count)}</strong>
                <Link to="/alerts" search={{ type, ...onHost }}>
                  {alertTypeTitle(type)}
                  <OnHost />
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** What a link shows, for assistive technology; others read it above the links. */
function OnHost() {
  return <span className="visually-hidden"> on this host</span>;
}
