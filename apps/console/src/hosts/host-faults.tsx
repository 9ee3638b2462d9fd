import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { HostDetail, HostGpu } from '../data/fleet-queries.ts';
import { formatCount } from '../data/format.ts';
import { FaultText } from '../parts/fault-text.tsx';
import { gpuLabel, slotOf } from '../parts/gpu-label.ts';
import { HealthMark, HEALTHS } from '../parts/marks.tsx';
import { faultsOf } from './faults.ts';
import page from '../gpus/gpu-page.module.css';
import styles from './host-page.module.css';

/** The health of the host, which is that of its worst GPU, with each fault, its GPUs and what to do. */
export function HostFaults({ host }: { host: HostDetail }) {
  const faults = faultsOf(host.gpus);
  const counts = HEALTHS.filter((health) => host.gpus_by_health[health] > 0);
  return (
    <section className={page.health} data-health={host.health} aria-label="Health">
      <p className={styles.verdict}>
        {counts.map((health) => (
          <span key={health}>
            {formatCount(host.gpus_by_health[health])} <HealthMark health={health} />
          </span>
        ))}
      </p>
      {faults.length === 0 ? (
        <p>No health rule applies to what the GPUs of this host report.</p>
      ) : (
        <ul>
          {faults.map(({ health, fault, gpus }) => (
            <li key={fault.sentence}>
              <HealthMark health={health} iconOnly />
              <FaultText fault={fault}>
                <span className={page.quiet}>
                  <GpuNames gpus={gpus} isAll={gpus.length === host.gpu_count && gpus.length > 1} />.{' '}
                </span>
              </FaultText>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The GPUs that have a fault, each a link. */
function GpuNames({ gpus, isAll }: { gpus: HostGpu[]; isAll: boolean }) {
  if (isAll) return `All ${formatCount(gpus.length)} GPUs`;
  return (
    <>
      {gpus.length === 1 ? 'GPU ' : 'GPUs '}
      {gpus.map((gpu, n) => (
        <Fragment key={gpu.gpu_id}>
          {n === 0 ? '' : ', '}
          <Link to="/gpus/$id" params={{ id: gpu.gpu_id }} className={page.code}>
            {slotOf(gpu.pcie_address) || gpuLabel(gpu.gpu_id)}
          </Link>
        </Fragment>
      ))}
    </>
  );
}
