import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { alertsOfHost } from '../alerts/filters.ts';
import { type GpuDetail, gpuQuery } from '../data/queries.ts';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useServices } from '../session/services.ts';
import { GpuCharts } from './gpu-charts.tsx';
import { GpuHealth } from './gpu-health.tsx';
import { GpuReadings, GpuSpecs } from './gpu-numbers.tsx';
import { GpuSecurity } from './gpu-security.tsx';
import { GpuProcesses, GpuUtilization } from './gpu-workload.tsx';
import { GpuXids } from './gpu-xids.tsx';
import styles from './gpu-page.module.css';

/** One GPU: its health and why, telemetry, XIDs, processes, security and specifications. */
export function GpuPage() {
  const { id } = useParams({ from: '/gpus/$id' });
  return (
    <Loaded isPage query={useQuery(gpuQuery(useServices(), id))} skeleton={<PageSkeleton />}>
      {({ gpu }) => <Gpu id={id} gpu={gpu} />}
    </Loaded>
  );
}

function Gpu({ id, gpu }: { id: string; gpu: GpuDetail }) {
  useTitle(`${gpu.model} in ${gpu.specs.hostname}`);
  return (
    <article className={styles.page}>
      <header>
        <p>
          <Link to="/gpus" search={(search) => search}>
            All GPUs
          </Link>
        </p>
        <h1>
          <bdi>{gpu.model}</bdi> <small>{gpu.specs.pcie_address}</small>
        </h1>
        <p className={styles.kicker}>
          <bdi>{gpu.specs.hostname}</bdi>
          <Link to="/alerts" search={alertsOfHost(gpu.specs.hostname)}>
            Alerts of this host
          </Link>
          <span className={styles.code}>{gpu.gpu_id}</span>
          <span>
            Last report <Time iso={gpu.last_refreshed_at} />
          </span>
          <StaleNote />
        </p>
      </header>
      <GpuHealth gpu={gpu} />
      <GpuReadings gpu={gpu} />
      <GpuCharts id={id} gpu={gpu} />
      <div className={styles.columns}>
        <GpuXids gpu={gpu} />
        <GpuSecurity gpu={gpu} />
      </div>
      <GpuProcesses gpu={gpu} />
      <div className={styles.columns}>
        <GpuUtilization gpu={gpu} />
        <GpuSpecs gpu={gpu} />
      </div>
    </article>
  );
}

function PageSkeleton() {
  return (
    <div className={styles.page}>
      <Skeleton height="3.5rem" />
      <Skeleton height="4.5rem" />
      <Skeleton height="3rem" />
      <div className={styles.charts}>
        <Skeleton lines={2} height="9rem" />
        <Skeleton lines={2} height="9rem" />
      </div>
    </div>
  );
}
