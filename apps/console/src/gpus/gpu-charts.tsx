import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { TimeSeries } from '../charts/time-series.tsx';
import { type GpuDetail, gpuSeriesQuery } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import type { Search } from '../router.tsx';
import { useServices } from '../session/services.ts';
import styles from './gpu-page.module.css';

const HALF_HOUR_S = 1_800;
const DAY_MS = 24 * 3_600_000;
const WINDOWS = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;
const HISTORY_DAYS = { '7d': 7, '30d': 30 } as const;
type Window = keyof typeof WINDOWS;

/** Telemetry of a GPU over time. The API keeps all four readings for 24 hours and utilization for longer. */
export function GpuCharts({ id, gpu }: { id: string; gpu: GpuDetail }) {
  const { window: text } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const window: Window = text !== undefined && text in WINDOWS ? (text as Window) : '24h';
  return (
    <Panel
      title="Telemetry"
      aside={
        <span className={styles.windows} role="group" aria-label="Window">
          {Object.entries(WINDOWS).map(([value, title]) => (
            <button
              key={value}
              type="button"
              aria-pressed={window === value}
              onClick={() =>
                void navigate({
                  to: '.',
                  search: (current) => ({ ...current, window: value === '24h' ? undefined : value }),
                })
              }
            >
              {title}
            </button>
          ))}
        </span>
      }
    >
      {window === '24h' ? <Day gpu={gpu} /> : <LongUtilization id={id} days={HISTORY_DAYS[window]} />}
    </Panel>
  );
}

const READINGS = [
  ['utilization', 'Utilization', '%', 'healthy'],
  ['memory', 'Memory', 'GB', 'healthy'],
  ['temperature', 'Temperature', '°C', 'degraded'],
  ['power', 'Power', 'W', 'healthy'],
] as const;

function Day({ gpu }: { gpu: GpuDetail }) {
  const charts = useMemo(
    () =>
      READINGS.flatMap(([key, label, unit, color]) => {
        const values = gpu.telemetry.history[key];
        if (values.length < 2) return [];
        // Half-hour means, the last one of the half hour of the refresh.
        const endS = Math.floor(Date.parse(gpu.last_refreshed_at) / 1_000 / HALF_HOUR_S) * HALF_HOUR_S;
        const times = values.map((_value, n) => endS - (values.length - 1 - n) * HALF_HOUR_S);
        return [{ label, unit, times, series: [{ label, unit, values, color }] }];
      }),
    [gpu],
  );
  if (charts.length === 0) return <Empty title="No telemetry in the last 24 hours." />;
  return (
    <div className={styles.charts}>
      {charts.map(({ label, unit, times, series }) => (
        <div key={label}>
          <h3>
            {label}, {unit}
          </h3>
          <TimeSeries times={times} series={series} title={`${label} over 24 hours`} height={130} />
        </div>
      ))}
    </div>
  );
}

function LongUtilization({ id, days }: { id: string; days: number }) {
  const { from, to } = useMemo(() => {
    const toMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    return { from: new Date(toMs - days * DAY_MS).toISOString(), to: new Date(toMs).toISOString() };
  }, [days]);
  const { data, error, refetch } = useQuery(gpuSeriesQuery(useServices(), id, { from, to }));
  const chart = useMemo(() => {
    const values = data?.utilization_series ?? [];
    if (values.length < 2) return undefined;
    const [fromS, toS] = [Date.parse(from) / 1_000, Date.parse(to) / 1_000];
    const step = (toS - fromS) / 48;
    return {
      times: values.map((_value, n) => fromS + n * step),
      series: [{ label: 'Utilization', unit: '%', values }],
    };
  }, [data, from, to]);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height="150px" />;
  if (!chart) return <Empty title={`No telemetry in the last ${days} days.`} />;
  return (
    <>
      <h3>Utilization, %</h3>
      <TimeSeries {...chart} title={`Utilization over ${days} days`} height={150} />
    </>
  );
}
