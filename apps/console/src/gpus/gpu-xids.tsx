import { Link } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import { xidInstruction } from '../data/health-rules.ts';
import type { GpuDetail } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import styles from './gpu-page.module.css';

/** The XID errors of the last 24 hours, each with what to do. */
export function GpuXids({ gpu: { xid, specs, security_diagnostics } }: { gpu: GpuDetail }) {
  const { recent_xid_errors: errors } = security_diagnostics;
  // The API keeps the last code for longer than the errors, without its time.
  const lastCode =
    xid.last_code === null ? undefined : <p>The last error before that was XID {xid.last_code}.</p>;
  return (
    <Panel
      title="XID errors, 24 hours"
      aside={
        <>
          {xid.errors_24h === null
            ? null
            : `${formatCount(xid.errors_24h)} ${xid.errors_24h === 1 ? 'error' : 'errors'}, ${xid.trend_7d} over 7 days`}
          {specs.hostname === '' ? null : (
            <Link to="/xids" search={{ host: specs.hostname, window: '30d' }}>
              All XIDs of this host
            </Link>
          )}
        </>
      }
    >
      {errors.length > 0 ? (
        <ul className={styles.list}>
          {errors.map(({ code, name, action, count, occurred_at }) => (
            <li key={`${code} ${occurred_at}`}>
              <strong className={styles.code}>XID {code}</strong>
              <span className={styles.grow}>
                <bdi>{name}</bdi>
                {count > 1 && ` (${formatCount(count)} times)`}
                <span className={styles.instruction}>
                  <strong>What to do:</strong> {xidInstruction(action)}
                </span>
              </span>
              <Time iso={occurred_at} />
            </li>
          ))}
        </ul>
      ) : xid.errors_24h === null ? (
        <Empty title="Unknown for the last 24 hours.">
          <p>
            No source of XIDs has reported for this GPU. Import the kernel log of its host, or DCGM’s XID
            field.
          </p>
          {lastCode}
        </Empty>
      ) : (
        <Empty title="None in the last 24 hours.">{lastCode}</Empty>
      )}
    </Panel>
  );
}
