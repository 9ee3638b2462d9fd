import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { alertsOfHost } from '../alerts/filters.ts';
import { ChartBoundary } from '../charts/chart-boundary.tsx';
import { DAY_MS, HOUR_MS } from '../data/durations.ts';
import { type HostDetail, hostQuery } from '../data/fleet-queries.ts';
import { formatCount, formatMeasure } from '../data/format.ts';
import { newestAlertsQuery, workspacesQuery } from '../data/queries.ts';
import { isoOf } from '../data/window.ts';
import { JobsTable } from '../jobs/jobs-table.tsx';
import { SEVERITIES } from '../data/severities.ts';
import { AlertRows } from '../parts/alert-rows.tsx';
import { loadChunk } from '../parts/chunk-error.ts';
import { slotOf } from '../parts/gpu-label.ts';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSteppedNow, useViewWindow, WindowPicker } from '../parts/view-window.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { SUSPICIOUS_GPUS } from '../xids/incident-days.ts';
import { xidGroupsQuery } from '../xids/queries.ts';
import { hostListSearch } from './filters.ts';
import { HostFaults } from './host-faults.tsx';
import { HostGpus } from './host-gpus.tsx';
import page from '../gpus/gpu-page.module.css';
import styles from './host-page.module.css';

const MAX_ALERTS = 8;
const XID_DAYS = 30;

// uPlot is loaded after the numbers.
const HostCharts = lazy(() =>
  loadChunk(() => import('./host-charts.tsx')).then(({ HostCharts: component }) => ({ default: component })),
);

/** One host: its GPUs side by side, why they are unhealthy and what to do, jobs, alerts and readings over time. */
export function HostPage() {
  const { hostname } = useParams({ from: '/hosts/$hostname' });
  const { from } = useViewWindow('24h');
  const query = useQuery(hostQuery(useServices(), hostname, useScope(), { from }));
  return (
    <Loaded isPage query={query} skeleton={<PageSkeleton />}>
      {({ host }) => <HostView host={host} />}
    </Loaded>
  );
}

function HostView({ host }: { host: HostDetail }) {
  useTitle(host.hostname);
  const { title } = useViewWindow('24h');
  const slots = new Map(host.gpus.map(({ gpu_id, pcie_address }) => [gpu_id, slotOf(pcie_address)]));
  return (
    <article className={page.page}>
      <header>
        <p>
          <Link to="/hosts" search={hostListSearch}>
            All hosts
          </Link>
        </p>
        <h1>
          <bdi>{host.hostname}</bdi>{' '}
          <small>
            {formatCount(host.gpu_count)} × {host.models.join(', ') || 'GPU'}
          </small>
        </h1>
        <Facts host={host} />
      </header>
      <HostFaults host={host} />
      <Panel
        title="GPUs side by side"
        isLive
        aside={
          <>
            <span>Means, XIDs and lines are of {title}.</span>
            <WindowPicker initial="24h" />
          </>
        }
      >
        <HostGpus host={host} />
      </Panel>
      <Panel title={`Readings, ${title}`} isLive>
        <ChartBoundary title="Readings of the host">
          <Suspense fallback={<Skeleton height="150px" />}>
            <HostCharts host={host} />
          </Suspense>
        </ChartBoundary>
      </Panel>
      <Panel title={`Jobs and processes, now and in ${title}`} isLive>
        <JobsTable jobs={host.jobs} slots={slots} isMissing={host.health === 'missing'} />
      </Panel>
      <div className={page.columns}>
        <HostAlerts host={host} title={title} />
        <HostXids hostname={host.hostname} />
      </div>
    </article>
  );
}

function Facts({ host }: { host: HostDetail }) {
  const { data } = useQuery(workspacesQuery(useServices()));
  const names = host.workspace_ids.map(
    (id) => data?.workspaces.find((workspace) => workspace.id === id)?.name ?? `workspace ${id}`,
  );
  const cpu = host.cpu && [
    host.cpu.utilization_pct === null ? '' : `CPU ${formatMeasure(host.cpu.utilization_pct, '%')}`,
    host.cpu.load_1m === null ? '' : `load ${formatMeasure(host.cpu.load_1m)}`,
  ];
  const machine = [
    host.cpu_count === null ? '' : `${formatCount(host.cpu_count)} CPUs`,
    host.memory_total_gb === null ? '' : formatMeasure(host.memory_total_gb, 'GB'),
    host.operating_system,
    host.kernel,
  ].filter(Boolean);
  return (
    <p className={page.kicker}>
      <bdi>{names.join(', ')}</bdi>
      {cpu?.some(Boolean) ? <span>{cpu.filter(Boolean).join(', ')}</span> : null}
      {host.uptime === null ? null : (
        <span>
          Booted <Time iso={isoOf(Date.parse(host.uptime.at) - host.uptime.seconds * 1_000)} />
        </span>
      )}
      {machine.length === 0 ? null : <span>{machine.join(', ')}</span>}
      <span>
        Last report <Time iso={host.last_seen} />
      </span>
      <StaleNote />
    </p>
  );
}

/** Alerts of the host and its GPUs: those of the window by severity, and the newest ones. */
function HostAlerts({ host: { hostname, alerts }, title }: { host: HostDetail; title: string }) {
  const { from } = useViewWindow('24h');
  const filters = { ...useScope(), 'filter[hostname][equals]': hostname };
  const query = useQuery(newestAlertsQuery(useServices(), filters, MAX_ALERTS));
  const severities = SEVERITIES.filter((severity) => alerts[severity] > 0);
  return (
    <Panel
      title="Newest alerts of the host"
      isLive
      aside={
        <Link to="/alerts" search={alertsOfHost(hostname)}>
          All alerts of this host
        </Link>
      }
    >
      <p className={styles.severities}>
        <span>{severities.length === 0 ? `None in ${title}.` : `In ${title}:`}</span>
        {severities.map((severity) => (
          <Link key={severity} to="/alerts" search={{ ...alertsOfHost(hostname), severity, from }}>
            <SeverityMark severity={severity} /> {formatCount(alerts[severity])}
          </Link>
        ))}
      </p>
      <Loaded query={query} skeleton={<Skeleton lines={MAX_ALERTS} height="2rem" />}>
        {({ alerts: newest }) =>
          newest.length === 0 ? (
            <Empty title="No alert is known of this host." />
          ) : (
            <AlertRows alerts={newest} withHost={false} />
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The XIDs of the host by code: the same code on several GPUs points to the host. */
function HostXids({ hostname }: { hostname: string }) {
  const fromMs = useSteppedNow(HOUR_MS) - XID_DAYS * DAY_MS;
  const filters = { ...useScope(), hostname, from: isoOf(fromMs) };
  const query = useQuery(xidGroupsQuery(useServices(), 'code', filters));
  return (
    <Panel
      title={`XIDs, ${XID_DAYS} days`}
      isLive
      aside={
        <Link to="/xids" search={{ host: hostname, window: '30d' }}>
          All XIDs of this host
        </Link>
      }
    >
      <Loaded query={query} skeleton={<Skeleton lines={5} />}>
        {(groups) =>
          groups.length === 0 ? (
            <Empty title={`No XID is known in ${XID_DAYS} days.`} />
          ) : (
            <ul className={page.list}>
              {groups.map(({ code, name, incidents, gpus, last_at }) => (
                <li key={code}>
                  <Link
                    to="/xids"
                    search={{ host: hostname, code: String(code), window: '30d' }}
                    className={page.code}
                  >
                    XID {code}
                  </Link>
                  <span className={page.grow}>
                    {name}{' '}
                    <span className={page.quiet}>
                      {formatCount(incidents)} {incidents === 1 ? 'time' : 'times'},
                    </span>{' '}
                    {gpus >= SUSPICIOUS_GPUS ? (
                      <strong>on {formatCount(gpus)} different GPUs</strong>
                    ) : (
                      <span className={page.quiet}>{gpus === 1 ? 'on one GPU' : 'on two GPUs'}</span>
                    )}
                  </span>
                  <Time iso={last_at} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function PageSkeleton() {
  return (
    <div className={page.page}>
      <Skeleton height="3.5rem" />
      <Skeleton height="5rem" />
      <Skeleton height="18rem" />
      <Skeleton lines={3} height="2.5rem" />
    </div>
  );
}
