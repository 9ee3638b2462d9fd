import { Link } from '@tanstack/react-router';
import { alertTypeTitle, formatCount } from '../data/format.ts';
import type { GpuDetail } from '../data/queries.ts';
import { SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import styles from './gpu-page.module.css';

/** Alerts of the GPU in the last 24 hours, each count a link to the alerts of its host. */
export function GpuSecurity({ gpu }: { gpu: GpuDetail }) {
  const { alerts_24h, by_severity, by_type } = gpu.security_diagnostics;
  return (
    <Panel title="Alerts of this GPU, 24 hours" aside={`${formatCount(alerts_24h)} in all`}>
      {alerts_24h === 0 ? (
        <Empty title="None." />
      ) : (
        <>
          <ul className={styles.severities}>
            {by_severity
              .filter(({ count }) => count > 0)
              .map(({ severity, count }) => (
                <li key={severity}>
                  <Link to="/alerts" search={{ severity, hostname: gpu.specs.hostname }}>
                    <SeverityMark severity={severity} />
                  </Link>{' '}
                  {formatCount(count)}
                </li>
              ))}
          </ul>
          <ul className={styles.list}>
            {by_type.map(({ type, count }) => (
              <li key={type}>
                <strong>{formatCount(count)}</strong>
                <Link to="/alerts" search={{ type, hostname: gpu.specs.hostname }}>
                  {alertTypeTitle(type)}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}
