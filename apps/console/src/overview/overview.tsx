import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Dome } from '../charts/dome.tsx';
import { Sparkline } from '../charts/sparkline.tsx';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { formatCount, formatMeasure } from '../data/format.ts';
import {
  type FleetMetrics,
  gpusQuery,
  type Health,
  metricsQuery,
  newestAlertsQuery,
  trendQuery,
} from '../data/queries.ts';
import { HealthMark, HEALTHS, SEVERITIES, SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { AttentionList } from './attention-list.tsx';
import styles from './overview.module.css';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TREND_HOURS = 72;
const TREND_DAYS = 90;

/** The fleet at a glance. Everything on it links to the filtered view behind it. */
export function Overview() {
  const services = useServices();
  const scope = useScope();
  const gpus = useQuery(gpusQuery(services, scope));
  const metrics = useQuery(metricsQuery(services, scope));
  const alerts = useQuery(
    newestAlertsQuery(services, { ...scope, 'filter[severity][equals]': 'critical' }, 6),
  );
  const fleet = gpus.data?.gpus;
  return (
    <div className={styles.overview}>
      <h1>Fleet</h1>
      <section className={styles.sky} aria-label="Fleet by health">
        {gpus.error ? (
          <ErrorState error={gpus.error} onRetry={() => void gpus.refetch()} />
        ) : !fleet ? (
          <Skeleton height="18rem" />
        ) : fleet.length === 0 ? (
          <NoGpus />
        ) : (
          <>
            <HealthCounts counts={countByHealth(fleet.map(({ health }) => health))} total={fleet.length} />
            <Dome gpus={fleet} />
          </>
        )}
      </section>
      <div className={styles.columns}>
        <Panel title="GPUs that need a person" aside={<Link to="/gpus">All GPUs</Link>}>
          {fleet ? <AttentionList gpus={fleet} /> : gpus.error ? null : <Skeleton lines={4} />}
        </Panel>
        <Panel
          title="Newest critical alerts"
          aside={
            <Link to="/alerts" search={{ severity: 'critical' }}>
              All critical
            </Link>
          }
        >
          {alerts.error ? (
            <ErrorState error={alerts.error} onRetry={() => void alerts.refetch()} />
          ) : !alerts.data ? (
            <Skeleton lines={4} />
          ) : alerts.data.alerts.length === 0 ? (
            <Empty title="No critical alerts." />
          ) : (
            <ul className={styles.alerts}>
              {alerts.data.alerts.map((alert) => (
                <li key={alert.id}>
                  <SeverityMark severity={alert.severity} iconOnly />
                  <Link to="/alerts/$id" params={{ id: alert.id }}>
                    {alert.title}
                  </Link>
                  <span>{alert.hostname ?? ''}</span>
                  <Time iso={alert.created_at} />
                </li>
              ))}
            </ul>
          )}
        </Panel>
      </div>
      <div className={styles.columns}>
        <Trend title="Alerts, last 72 hours" unit="hour" windowMs={TREND_HOURS * HOUR_MS} />
        <Trend title="Alerts, last 90 days" unit="day" windowMs={TREND_DAYS * DAY_MS} />
      </div>
      {metrics.error ? (
        <ErrorState error={metrics.error} onRetry={() => void metrics.refetch()} />
      ) : metrics.data ? (
        <Telemetry metrics={metrics.data.metrics} />
      ) : (
        <Skeleton height="8rem" />
      )}
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

function countByHealth(healths: Health[]): Record<Health, number> {
  const counts = { critical: 0, degraded: 0, missing: 0, healthy: 0 };
  for (const health of healths) counts[health] += 1;
  return counts;
}

function HealthCounts({ counts, total }: { counts: Record<Health, number>; total: number }) {
  return (
    <dl className={styles.counts}>
      <div>
        <dt>GPUs</dt>
        <dd>
          <Link to="/gpus">{formatCount(total)}</Link>
        </dd>
      </div>
      {HEALTHS.map((health) => (
        <div key={health}>
          <dt>
            <HealthMark health={health} />
          </dt>
          <dd>
            <Link to="/gpus" search={{ health }}>
              {formatCount(counts[health])}
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Trend({ title, unit, windowMs }: { title: string; unit: 'hour' | 'day'; windowMs: number }) {
  const services = useServices();
  const scope = useScope();
  const navigate = useNavigate();
  const step = unit === 'hour' ? HOUR_MS : DAY_MS;
  // Whole buckets: the URL changes once per bucket, so responses stay cached in between.
  const toMs = Math.ceil(Date.now() / step) * step;
  const from = new Date(toMs - windowMs).toISOString();
  const to = new Date(toMs).toISOString();
  const { data, error, refetch } = useQuery(trendQuery(services, { ...scope, from, to }));
  const total = useMemo(() => data?.points.reduce((sum, { count }) => sum + count, 0), [data]);
  return (
    <Panel
      title={title}
      aside={
        total === undefined ? null : (
          <Link to="/alerts" search={{ from }}>
            {formatCount(total)} alerts
          </Link>
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height="96px" />
      ) : (
        <StackedBars
          points={data.points}
          unit={unit}
          fromMs={toMs - windowMs}
          toMs={toMs}
          title={title}
          onRange={(beginMs, endMs) =>
            void navigate({
              to: '/alerts',
              search: { from: new Date(beginMs).toISOString(), to: new Date(endMs).toISOString() },
            })
          }
        />
      )}
    </Panel>
  );
}

const MEASURES = [
  ['avg_gpu_utilization', 'Utilization', '%'],
  ['avg_gpu_power', 'Power', 'W'],
  ['avg_gpu_temperature', 'Temperature', '°C'],
  ['avg_gpu_memory', 'Memory', '%'],
] as const;

function Telemetry({ metrics }: { metrics: FleetMetrics }) {
  const { metrics_summary: summary, metrics_charts: charts, top_alert_types: types } = metrics;
  return (
    <div className={styles.columns}>
      <Panel title="Telemetry, mean of 90 days" aside={<Link to="/metrics">All metrics</Link>}>
        <div className={styles.measures}>
          {MEASURES.map(([key, title, unit]) => (
            <div key={key}>
              <span>{title}</span>
              <strong>{formatMeasure(summary[key], unit)}</strong>
              <Sparkline values={(charts[key] ?? []).map(({ value }) => value)} label={`${title} per day`} />
            </div>
          ))}
        </div>
      </Panel>
      <Panel title="Most frequent alert types, 90 days">
        <ol className={styles.types}>
          {types.map(({ title, count }) => (
            <li key={title}>
              <span>{title}</span>
              <strong>{formatCount(count)}</strong>
            </li>
          ))}
        </ol>
        <ul className={styles.severities}>
          {SEVERITIES.map((severity) => (
            <li key={severity}>
              <Link to="/alerts" search={{ severity }}>
                <SeverityMark severity={severity} />
              </Link>{' '}
              {formatCount(metrics.alerts_by_severity.find(({ label }) => label === severity)?.value ?? 0)}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
