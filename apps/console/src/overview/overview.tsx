import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { use, useMemo } from 'react';
import { HOUR_MS, DAY_MS, MINUTE_MS } from '../data/durations.ts';
import { Dome } from '../charts/dome.tsx';
import { unhealthyQuery } from '../data/fleet-queries.ts';
import { PulseContext } from '../data/pulse-context.ts';
import { gpusQuery, newestAlertsQuery } from '../data/queries.ts';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { AlertRows } from '../parts/alert-rows.tsx';
import { AlertTrend } from './alert-trend.tsx';
import { AlertTypes } from './alert-types.tsx';
import { AttentionList, MAX_ROWS } from './attention-list.tsx';
import { FleetLoad } from './fleet-load.tsx';
import { HealthCounts } from './health-counts.tsx';
import { LastHour } from './last-hour.tsx';
import styles from './overview.module.css';
import { Telemetry } from './telemetry.tsx';
import { attentionOf } from './attention.ts';

/** As many as GPUs in the list next to it. */
const CRITICAL_ROWS = MAX_ROWS;

/** The fleet at a glance. Each part has its own query: one that fails leaves the others. */
export function Overview() {
  useTitle('Fleet');
  const services = useServices();
  const scope = useScope();
  const gpus = useQuery(gpusQuery(services, scope));
  const fleet = gpus.data?.gpus;
  const unhealthy = useQuery(unhealthyQuery(services, scope));
  const rows = useMemo(() => attentionOf(unhealthy.data ?? []), [unhealthy.data]);
  const endMs = useEndOfHour();
  return (
    <div className={styles.overview}>
      <header className={styles.head}>
        <div>
          <h1>Fleet</h1>
          {fleet ? <FleetLoad gpus={fleet} /> : null}
        </div>
        {fleet ? <HealthCounts gpus={fleet} /> : null}
      </header>
      <div className={styles.sky}>
        <section aria-label="Fleet by host and health">
          <Loaded query={gpus} skeleton={<DomeSkeleton />}>
            {({ gpus: listed }) =>
              listed.length === 0 ? (
                <NoGpus />
              ) : (
                <>
                  <Dome gpus={listed} />
                  <p className={styles.caption}>
                    One dot per GPU, hosts side by side. The stronger a dot, the higher the mean utilization
                    of its GPU in the last 24 hours. <StaleNote />
                  </p>
                </>
              )
            }
          </Loaded>
        </section>
        <LastHour unhealthy={unhealthy} rows={rows} endMs={endMs} />
      </div>
      <div className={styles.columns}>
        <Panel title="GPUs that need a person now" isLive aside={<Link to="/hosts">All hosts</Link>}>
          <Loaded query={unhealthy} skeleton={<Skeleton lines={MAX_ROWS} height="2.5rem" />}>
            {() => (
              <AttentionList
                rows={rows}
                newFromMs={endMs === undefined ? Infinity : endMs - HOUR_MS}
                gpuTotal={fleet?.length ?? rows.length}
              />
            )}
          </Loaded>
        </Panel>
        <CriticalAlerts />
      </div>
      {gpus.isPending ? null : <Trends />}
    </div>
  );
}

/** Returns the end of the last hour, which moves with the data and not with the clock: an idle page sends no requests. */
function useEndOfHour(): number | undefined {
  const { dataAsOf } = use(PulseContext);
  return dataAsOf === undefined ? undefined : (Math.floor(Date.parse(dataAsOf) / MINUTE_MS) + 1) * MINUTE_MS;
}

function CriticalAlerts() {
  const filters = { ...useScope(), 'filter[severity][equals]': 'critical' } as const;
  const query = useQuery(newestAlertsQuery(useServices(), filters, CRITICAL_ROWS));
  return (
    <Panel
      title="Newest critical alerts"
      isLive
      aside={
        <Link to="/alerts" search={{ severity: 'critical' }}>
          All critical
        </Link>
      }
    >
      <Loaded query={query} skeleton={<Skeleton lines={CRITICAL_ROWS} height="2.5rem" />}>
        {({ alerts }) =>
          alerts.length === 0 ? <Empty title="No critical alerts." /> : <AlertRows alerts={alerts} />
        }
      </Loaded>
    </Panel>
  );
}

function Trends() {
  // Whole buckets: the URL of a request changes once per bucket, so responses stay cached in between.
  const endOfHourMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const endOfDayMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const hours = { fromMs: endOfHourMs - 72 * HOUR_MS, toMs: endOfHourMs };
  const days = { fromMs: endOfDayMs - 90 * DAY_MS, toMs: endOfDayMs };
  return (
    <>
      <div className={styles.columns}>
        <AlertTrend title="Alerts, last 72 hours" unit="hour" window={hours} />
        <AlertTrend title="Alerts, last 90 days" unit="day" window={days} />
      </div>
      <div className={styles.columns}>
        <Telemetry />
        <AlertTypes title="Most frequent alert types, 90 days" fromMs={days.fromMs} />
      </div>
    </>
  );
}

function DomeSkeleton() {
  return (
    <div className={styles.domeSkeleton}>
      <Skeleton height="100%" />
    </div>
  );
}

function NoGpus() {
  return (
    <Empty title="No GPUs have reported yet.">
      <p>
        Import a dcgm-exporter scrape or point the collector at your nodes; GPUs appear here with their first
        sample.
      </p>
    </Empty>
  );
}
