import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkline } from '../charts/sparkline.tsx';
import { formatMeasure } from '../data/format.ts';
import { metricsQuery } from '../data/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Skeleton } from '../parts/states.tsx';
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
  const query = useQuery(metricsQuery(useServices(), useScope()));
  return (
    <Panel title="Telemetry, mean of today and 90 days" isLive aside={<Link to="/metrics">All metrics</Link>}>
      <Loaded query={query} skeleton={<Skeleton height="7rem" />}>
        {({ metrics: { metrics_charts: charts, metrics_summary: summary } }) => (
          <div className={styles.measures}>
            {MEASURES.map(([key, title, unit]) => {
              const days = charts[key] ?? [];
              return (
                <div key={key}>
                  <span>{title}</span>
                  <strong>{formatMeasure(days.at(-1)?.value, unit)}</strong>{' '}
                  <small>{formatMeasure(summary[key], unit)} in 90 d</small>
                  <Sparkline
                    points={days.slice(0, -1)}
                    label={`${title} per day, ${formatMeasure(summary[key], unit)} on average`}
                  />
                </div>
              );
            })}
          </div>
        )}
      </Loaded>
    </Panel>
  );
}
