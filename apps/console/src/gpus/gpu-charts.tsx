import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DAY_MS } from '../data/durations.ts';
import { TimeSeries } from '../charts/time-series.tsx';
import { formatCount, formatMeasure } from '../data/format.ts';
import { type GpuDetail, gpuSeriesQuery } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import segmented from '../parts/segmented.module.css';
import styles from './gpu-page.module.css';
import { placeAtEnd } from './place-at-end.ts';

const HALF_HOUR_MS = 1_800_000;
const INTERVALS = 48;
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
        <span className={segmented.group} role="group" aria-label="Window">
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
      {window === '24h' ? <Day gpu={gpu} /> : <LongWindow id={id} gpu={gpu} days={HISTORY_DAYS[window]} />}
    </Panel>
  );
}

/** The y axis of a percentage. */
const PERCENT: [number, number] = [0, 100];

const READINGS = [
  ['utilization', 'Utilization', '%', 'healthy'],
  ['memory', 'Memory', 'GB', 'healthy'],
  ['temperature', 'Temperature', '°C', 'degraded'],
  ['power', 'Power', 'W', 'healthy'],
] as const;

function Day({ gpu }: { gpu: GpuDetail }) {
  const { charts, known } = useMemo(() => {
    const nowMs = Math.floor(Date.now() / HALF_HOUR_MS) * HALF_HOUR_MS;
    const window = { endMs: nowMs, stepMs: HALF_HOUR_MS, count: INTERVALS };
    const lastMs = Date.parse(gpu.last_refreshed_at);
    return {
      known: gpu.telemetry.history.utilization.length,
      charts: READINGS.flatMap(([key, label, unit, color]) => {
        const history = gpu.telemetry.history[key];
        if (history.length === 0) return [];
        const { times, values } = placeAtEnd(history, lastMs, window);
        return [{ label, unit, times, series: [{ label, unit, values, color }] }];
      }),
    };
  }, [gpu]);
  if (charts.length === 0) {
    return (
      <Empty title="No telemetry in the last 24 hours.">
        <p>Choose a longer window to see what it did before.</p>
      </Empty>
    );
  }
  return (
    <>
      <Gaps known={known} interval="half hours" />
      <div className={styles.charts}>
        {charts.map(({ label, unit, times, series }) => (
          <div key={label}>
            <h3>
              {label}, {unit}
            </h3>
            <TimeSeries
              times={times}
              series={series}
              title={`${label} over 24 hours`}
              height={130}
              {...(unit === '%' && { range: PERCENT })}
            />
          </div>
        ))}
      </div>
    </>
  );
}

/** The API omits intervals without readings and does not report which: only the time of the last report is known. */
function Gaps({ known, interval }: { known: number; interval: string }) {
  if (known >= INTERVALS) return null;
  return (
    <p className={styles.quiet}>
      {formatCount(INTERVALS - known)} of {INTERVALS} {interval} have no readings. The others are drawn up to
      the last report.
    </p>
  );
}

function LongWindow({ id, gpu, days }: { id: string; gpu: GpuDetail; days: number }) {
  const { from, to, endMs } = useMemo(() => {
    const toMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    return {
      from: new Date(toMs - days * DAY_MS).toISOString(),
      to: new Date(toMs).toISOString(),
      endMs: toMs,
    };
  }, [days]);
  const { data, error, refetch } = useQuery(gpuSeriesQuery(useServices(), id, { from, to }));
  const known = data?.utilization_series?.length ?? 0;
  const chart = useMemo(() => {
    const stepMs = (days * DAY_MS) / INTERVALS;
    const window = { endMs: endMs - stepMs, stepMs, count: INTERVALS };
    const { times, values } = placeAtEnd(
      data?.utilization_series ?? [],
      Date.parse(gpu.last_refreshed_at),
      window,
    );
    return { times, series: [{ label: 'Utilization', unit: '%', values }] };
  }, [data, days, endMs, gpu.last_refreshed_at]);
  if (error && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height="190px" />;
  if (known === 0) return <Empty title={`No telemetry in the last ${days} days.`} />;
  return (
    <>
      <Gaps known={known} interval="intervals" />
      <h3>
        Utilization, mean {formatMeasure(data?.utilization_pct, '%')}; temperature, mean{' '}
        {formatMeasure(data?.temperature_c, '°C')}; XID errors {data?.xid_errors ?? 'unknown'}
      </h3>
      <TimeSeries {...chart} title={`Utilization over ${days} days`} height={150} range={PERCENT} />
    </>
  );
}
