import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HOUR_MS, DAY_MS } from '../data/durations.ts';
import { Dome } from '../charts/dome.tsx';
import { gpusQuery, newestAlertsQuery } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { AlertRows } from './alert-rows.tsx';
import { AlertTrend } from './alert-trend.tsx';
import { AlertTypes } from './alert-types.tsx';
import { AttentionList } from './attention-list.tsx';
import { HealthCounts } from './health-counts.tsx';
import { LastHour } from './last-hour.tsx';
import styles from './overview.module.css';
import { Telemetry } from './telemetry.tsx';
import { useAttention } from './use-attention.ts';

const CRITICAL_ROWS = 7;

/** The fleet at a glance. Each part has its own query: one that fails leaves the others. */
export function Overview() {
  const services = useServices();
  const scope = useScope();
  const gpus = useQuery(gpusQuery(services, scope));
  const fleet = gpus.data?.gpus;
  const attention = useAttention(fleet);
  return (
    <div className={styles.overview}>
      <header className={styles.head}>
        <h1>Fleet</h1>
        {fleet ? <HealthCounts gpus={fleet} /> : null}
      </header>
      <div className={styles.sky}>
        <section aria-label="Fleet by host and health">
          {gpus.error && !fleet ? (
            <ErrorState error={gpus.error} onRetry={() => void gpus.refetch()} />
          ) : !fleet ? (
            <Skeleton height="20rem" />
          ) : fleet.length === 0 ? (
            <NoGpus />
          ) : (
            <>
              <Dome gpus={fleet} />
              <p className={styles.caption}>
                One dot per GPU, hosts side by side. The stronger a dot, the busier its GPU in the last 24
                hours.
              </p>
            </>
          )}
        </section>
        <LastHour attention={attention.rows} />
      </div>
      <div className={styles.columns}>
        <Panel title="GPUs that need a person now" aside={<Link to="/gpus">All GPUs</Link>}>
          {fleet ? (
            <AttentionList {...attention} />
          ) : gpus.error ? (
            <Empty title="Unknown: the list of GPUs is not available." />
          ) : (
            <Skeleton lines={7} height="2.5rem" />
          )}
        </Panel>
        <CriticalAlerts />
      </div>
      <Trends />
    </div>
  );
}

function CriticalAlerts() {
  const filters = { ...useScope(), 'filter[severity][equals]': 'critical' } as const;
  const { data, error, refetch } = useQuery(newestAlertsQuery(useServices(), filters, CRITICAL_ROWS));
  return (
    <Panel
      title="Newest critical alerts"
      aside={
        <Link to="/alerts" search={{ severity: 'critical' }}>
          All critical
        </Link>
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={CRITICAL_ROWS} height="2.5rem" />
      ) : data.alerts.length === 0 ? (
        <Empty title="No critical alerts." />
      ) : (
        <AlertRows alerts={data.alerts} />
      )}
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
