import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DAY_MS, HOUR_MS } from '../data/durations.ts';
import { type Series, TimeSeries } from '../charts/time-series.tsx';
import { PERCENT, TitledSeries } from '../charts/titled-series.tsx';
import { formatCount, formatMeasure } from '../data/format.ts';
import { type GpuDetail, gpuSeriesQuery } from '../data/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Segmented } from '../parts/segmented.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { Time, useNow } from '../parts/time.tsx';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import styles from './gpu-page.module.css';
import { placeAtEnd } from './place-at-end.ts';

const HALF_HOUR_MS = HOUR_MS / 2;
const INTERVALS = 48;
const WINDOWS = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;
const HISTORY_DAYS = { '7d': 7, '30d': 30 } as const;
type Window = (typeof WINDOWS)[number][0];

/** Telemetry of a GPU over time. The API keeps all four readings for 24 hours and utilization for longer. */
export function GpuCharts({ id, gpu }: { id: string; gpu: GpuDetail }) {
  const { window: text } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const window: Window = WINDOWS.find(([value]) => value === text)?.[0] ?? '24h';
  return (
    <Panel
      title="Telemetry"
      isLive
      aside={
        <Segmented
          label="Window"
          options={WINDOWS}
          selected={window}
          onSelect={(value) =>
            void navigate({
              to: '.',
              search: (current) => ({ ...current, window: value === '24h' ? undefined : value }),
            })
          }
        />
      }
    >
      {window === '24h' ? <Day gpu={gpu} /> : <LongWindow id={id} days={HISTORY_DAYS[window]} />}
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
  const endMs = Math.floor(useNow() / HALF_HOUR_MS) * HALF_HOUR_MS;
  const charts = useMemo(() => {
    const window = { endMs, stepMs: HALF_HOUR_MS, count: INTERVALS };
    const lastMs = Date.parse(gpu.last_refreshed_at);
    return READINGS.flatMap(([key, label, unit, color]) => {
      const history = gpu.telemetry.history[key];
      if (history.length === 0) return [];
      const { times, values, gapCount } = placeAtEnd(history, lastMs, window);
      return [{ label, times, gapCount, series: [{ label, unit, values, color }] as [Series] }];
    });
  }, [gpu, endMs]);
  if (charts.length === 0) {
    return (
      <Empty title="No telemetry in the last 24 hours.">
        <p>Choose a longer window to see what it did before.</p>
      </Empty>
    );
  }
  return (
    <>
      <Gaps count={Math.min(...charts.map(({ gapCount }) => gapCount))} intervals="half hours" />
      <div className={styles.charts}>
        {charts.map(({ label, times, series }) => (
          <TitledSeries
            key={label}
            times={times}
            series={series}
            title={`${label} over 24 hours`}
            height={130}
          />
        ))}
      </div>
    </>
  );
}

/** The API omits intervals without readings and does not report which: only the time of the last report is known. */
function Gaps({ count, intervals }: { count: number; intervals: string }) {
  if (count === 0) return null;
  return (
    <p className={styles.gaps}>
      No readings in {formatCount(count)} of {INTERVALS} {intervals}. The others are drawn up to the last
      report.
    </p>
  );
}

function LongWindow({ id, days }: { id: string; days: number }) {
  const windowMs = days * DAY_MS;
  const stepMs = windowMs / INTERVALS;
  // The current interval is the last one. Whole intervals keep the URL of the request, and its response cached.
  const toMs = Math.ceil(useNow() / stepMs) * stepMs;
  const window = { from: new Date(toMs - windowMs).toISOString(), to: new Date(toMs).toISOString() };
  const query = useQuery(gpuSeriesQuery(useServices(), id, window));
  const { data } = query;
  const chart = useMemo(() => {
    // The last report is of the same response as the series: the GPU itself is refreshed more often.
    const { times, values, gapCount } = placeAtEnd(
      data?.utilization_series ?? [],
      Date.parse(data?.last_seen ?? ''),
      { endMs: toMs - stepMs, stepMs, count: INTERVALS },
    );
    return { times, gapCount, series: [{ label: 'Utilization', unit: '%', values }] };
  }, [data, toMs, stepMs]);
  return (
    <Loaded query={query} skeleton={<Skeleton height="190px" />}>
      {(row) =>
        (row?.utilization_series ?? []).length === 0 ? (
          <Empty title={`No telemetry in the last ${days} days.`} />
        ) : (
          <>
            <Gaps count={chart.gapCount} intervals={`intervals of ${stepMs / HOUR_MS} hours`} />
            <p className={styles.quiet}>
              Utilization, mean {formatMeasure(row?.utilization_pct, '%')}; temperature, mean{' '}
              {formatMeasure(row?.temperature_c, '°C')}; XID errors {row?.xid_errors ?? 'unknown'}. Requested{' '}
              <Time iso={new Date(query.dataUpdatedAt).toISOString()} />.
            </p>
            <TimeSeries
              times={chart.times}
              series={chart.series}
              title={`Utilization over ${days} days`}
              height={150}
              range={PERCENT}
            />
          </>
        )
      }
    </Loaded>
  );
}
