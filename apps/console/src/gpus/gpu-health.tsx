import { faultOf } from '../data/fault.ts';
import type { GpuDetail } from '../data/queries.ts';
import { FaultText } from '../parts/fault-text.tsx';
import { HealthMark } from '../parts/marks.tsx';
import { Time } from '../parts/time.tsx';
import styles from './gpu-page.module.css';

/** The health of the GPU: each fault, what to do about it, since when and until when. */
export function GpuHealth({ gpu }: { gpu: GpuDetail }) {
  const { reasons } = gpu.security_diagnostics.health;
  return (
    <section className={styles.health} data-health={gpu.health} aria-label="Health">
      <p className={styles.verdict}>
        <HealthMark health={gpu.health} />
      </p>
      {gpu.health === 'missing' ? (
        <p>
          It has stopped reporting{reasons[0]?.health === 'critical' ? ' after a critical fault' : ''}: the
          last report is of <Time iso={gpu.last_refreshed_at} exact />, <Time iso={gpu.last_refreshed_at} />.
        </p>
      ) : reasons.length === 0 ? (
        <p>
          No health rule applies to what this GPU reports.
          {gpu.xid.errors_24h === null ? ' Its XIDs are not known: no source reports them.' : ''}
        </p>
      ) : null}
      {reasons.length === 0 ? null : (
        <ul>
          {reasons.map((reason) => (
            <li key={`${reason.rule} ${reason.since}`}>
              <HealthMark health={reason.health} iconOnly />
              <FaultText fault={faultOf(reason, gpu)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
