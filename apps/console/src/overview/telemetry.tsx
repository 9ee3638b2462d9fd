import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkline } from '../charts/sparkline.tsx';
import { formatMeasure } from '../data/format.ts';
import { metricsQuery } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import styles from './overview.module.css';

const MEASURES = [
  ['avg_gpu_utilization', 'Utilization', '%'],
  ['avg_gpu_power', 'Power', 'W'],
  ['avg_gpu_temperature', 'Temperature', '°C'],
  ['avg_gpu_memory', 'Memory', '%'],
] as const;

/** Today's means of the fleet, with the days before as sparklines. */
export function Telemetry() {
  const { data, error, refetch } = useQuery(metricsQuery(useServices(), useScope()));
  const charts = data?.metrics.metrics_charts;
  return (
    <Panel title="Telemetry, mean of today and 90 days" aside={<Link to="/metrics">All metrics</Link>}>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height="7rem" />
      ) : (
        <div className={styles.measures}>
          {MEASURES.map(([key, title, unit]) => {
            const days = charts?.[key] ?? [];
            return (
              <div key={key}>
                <span>{title}</span>
                <strong>{formatMeasure(days.at(-1)?.value, unit)}</strong>{' '}
                <small>{formatMeasure(data.metrics.metrics_summary[key], unit)} in 90 d</small>
                <Sparkline
                  values={days.slice(0, -1).map(({ value }) => value)}
                  label={`${title} per day, ${formatMeasure(data.metrics.metrics_summary[key], unit)} on average`}
                />
              </div>
            );
          })}
        </div>
      )}
    </Panel>
  );
}
