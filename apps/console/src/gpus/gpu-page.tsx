import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { alertsOfHost } from '../alerts/filters.ts';
import { gpuHistoryQuery } from '../data/fleet-queries.ts';
import { type GpuDetail, gpuQuery } from '../data/queries.ts';
import { JobsTable } from '../jobs/jobs-table.tsx';
import { slotOf } from '../parts/gpu-label.ts';
import { HostLink } from '../parts/host-link.tsx';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useViewWindow, WindowPicker } from '../parts/view-window.tsx';
import { useServices } from '../session/services.ts';
import { GpuCharts } from './gpu-charts.tsx';
import { GpuHealth } from './gpu-health.tsx';
import { GpuReadings, GpuSpecs } from './gpu-numbers.tsx';
import { GpuSecurity } from './gpu-security.tsx';
import { GpuUtilization } from './gpu-workload.tsx';
import { GpuXids } from './gpu-xids.tsx';
import styles from './gpu-page.module.css';

/** One GPU: its health and why, telemetry, jobs, XIDs, security and specifications. */
export function GpuPage() {
  const { id } = useParams({ from: '/gpus/$id' });
  return (
    <Loaded isPage query={useQuery(gpuQuery(useServices(), id))} skeleton={<PageSkeleton />}>
      {({ gpu }) => <Gpu id={id} gpu={gpu} />}
    </Loaded>
  );
}

function Gpu({ id, gpu }: { id: string; gpu: GpuDetail }) {
  const { hostname, pcie_address } = gpu.specs;
  // The host first: the titles of several tabs differ in what one looks for.
  const slot = slotOf(pcie_address);
  useTitle(hostname === '' ? `${gpu.gpu_id} ${gpu.model}` : `${hostname} ${slot}`);
  const { title, from } = useViewWindow('24h');
  const history = useQuery(gpuHistoryQuery(useServices(), id, { from }));
  return (
    <article className={styles.page}>
      <header>
        <p>
          <Link to="/gpus" search={(search) => search}>
            All GPUs
          </Link>
        </p>
        <h1>
          {hostname === '' ? <bdi>{gpu.gpu_id}</bdi> : <HostLink hostname={hostname} />} <small>{slot}</small>
        </h1>
        <p className={styles.kicker}>
          <bdi>{gpu.model}</bdi>
          {hostname === '' ? null : (
            <Link to="/alerts" search={alertsOfHost(hostname)}>
              Alerts of this host
            </Link>
          )}
          <span className={styles.code}>{gpu.gpu_id}</span>
          <span>
            Last report <Time iso={gpu.last_refreshed_at} />
          </span>
          <StaleNote />
        </p>
      </header>
      <GpuHealth gpu={gpu} />
      <GpuReadings gpu={gpu} />
      <Panel title={`Jobs and processes, now and in ${title}`} isLive aside={<WindowPicker initial="24h" />}>
        <Loaded query={history} skeleton={<Skeleton lines={3} height="2.5rem" />}>
          {({ jobs }) => (
            <JobsTable jobs={jobs} processes={gpu.processes} isMissing={gpu.health === 'missing'} />
          )}
        </Loaded>
      </Panel>
      <Panel title={`Telemetry, ${title}`} isLive>
        <Loaded query={history} skeleton={<Skeleton height="190px" />}>
          {(loaded) => <GpuCharts history={loaded} title={title} />}
        </Loaded>
      </Panel>
      <div className={styles.columns}>
        <GpuXids gpu={gpu} />
        <GpuSecurity gpu={gpu} />
      </div>
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
