import { alertTypeTitle } from '../data/format.ts';
import type { GpuDetail } from '../data/queries.ts';
import { HealthEvidence } from '../parts/health-evidence.tsx';
import { HealthMark } from '../parts/marks.tsx';
import { Time } from '../parts/time.tsx';
import styles from './gpu-page.module.css';

/** The health of the GPU: each rule that applies, its reading, since when and until when. */
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
          last report is of <Time iso={gpu.last_refreshed_at} exact /> (
          <Time iso={gpu.last_refreshed_at} />
          ). Check that its host is up, that the driver still lists it (<code>nvidia-smi -L</code>), and that
          the exporter runs.
        </p>
      ) : reasons.length === 0 ? (
        <p>No rule applies: no critical XID, no memory fault, temperature and links in range.</p>
      ) : null}
      {reasons.length === 0 ? null : (
        <ul>
          {reasons.map(({ rule, health, evidence, since, until }) => (
            <li key={`${rule} ${since}`}>
              <HealthMark health={health} iconOnly />
              <span>
                <strong>{alertTypeTitle(rule)}.</strong> <HealthEvidence text={evidence} />
                <span className={styles.quiet}>
                  {' '}
                  Since <Time iso={since} />
                  {until === null ? (
                    ', until it reports again.'
                  ) : (
                    <>
                      ; ends <Time iso={until} /> unless it is seen again.
                    </>
                  )}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
