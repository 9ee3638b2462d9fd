import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { TimeSeries } from '../charts/time-series.tsx';
import { formatCount, formatMeasure } from '../data/format.ts';
import { type FleetMetrics, metricsQuery } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import type { Search } from '../router.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { MEASURE_GROUPS } from './measures.ts';
import styles from './metrics.module.css';

const DAY_MS = 24 * 3_600_000;
const DEFAULT_DAYS = 90;
const WINDOWS = [7, 30, 90, 365] as const;

/** Daily telemetry of the fleet. */
export function Metrics() {
  const services = useServices();
  const scope = useScope();
  const { days: text } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const days = WINDOWS.find((each) => String(each) === text) ?? DEFAULT_DAYS;
  const window = useMemo(() => windowOf(days), [days]);
  const { data, error, refetch } = useQuery(metricsQuery(services, scope, window));
  return (
    <div className={styles.view}>
      <header className={styles.head}>
        <h1>Metrics</h1>
        <div role="group" aria-label="Window" className={styles.windows}>
          {WINDOWS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === days}
              onClick={() =>
                void navigate({
                  to: '.',
                  search: (search) => ({ ...search, days: each === DEFAULT_DAYS ? undefined : String(each) }),
                })
              }
            >
              {each} days
            </button>
          ))}
        </div>
      </header>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={6} height="9rem" />
      ) : Object.keys(data.metrics.metrics_charts).length === 0 ? (
        <Empty title="No telemetry in this window.">
          <p>Choose a longer window, or import samples of GPUs and hosts.</p>
        </Empty>
      ) : (
        <Charts metrics={data.metrics} fromMs={Date.parse(window.from)} />
      )}
    </div>
  );
}

/** Whole UTC days, the current one included; the API widens windows to days in any case. */
function windowOf(days: number): { from: string; to: string } {
  const toMs = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
  return { from: new Date(toMs - days * DAY_MS).toISOString(), to: new Date(toMs).toISOString() };
}

function Charts({ metrics, fromMs }: { metrics: FleetMetrics; fromMs: number }) {
  return (
    <>
      {metrics.asset_coverage.length === 0 ? null : (
        <dl className={styles.assets}>
          {metrics.asset_coverage.map(({ label, count }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{formatCount(count)}</dd>
            </div>
          ))}
        </dl>
      )}
      {MEASURE_GROUPS.map(({ title, measures }) => {
        const charted = measures.filter(({ key }) => metrics.metrics_charts[key] !== undefined);
        if (charted.length === 0) return null;
        return (
          <Panel key={title} title={title}>
            <div className={styles.charts}>
              {charted.map(({ key, label, unit }) => (
                <Chart
                  key={key}
                  label={label}
                  unit={unit}
                  mean={metrics.metrics_summary[key]}
                  points={metrics.metrics_charts[key] ?? []}
                  fromMs={fromMs}
                />
              ))}
            </div>
          </Panel>
        );
      })}
    </>
  );
}

interface ChartProps {
  label: string;
  unit: string;
  mean: number | null;
  points: { value: number | null }[];
  fromMs: number;
}

function Chart({ label, unit, mean, points, fromMs }: ChartProps) {
  const { times, series } = useMemo(
    () => ({
      // One point a day from the window's first day on; the labels of the API carry no year.
      times: points.map((_point, n) => (fromMs + n * DAY_MS) / 1_000),
      series: [{ label, unit, values: points.map(({ value }) => value) }],
    }),
    [points, fromMs, label, unit],
  );
  return (
    <div className={styles.chart}>
      <h3>
        {label} <strong>{formatMeasure(mean, unit)}</strong>
      </h3>
      <TimeSeries times={times} series={series} title={`${label} per day`} height={110} dates />
    </div>
  );
}
