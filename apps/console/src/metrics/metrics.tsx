import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DAY_MS } from '../data/durations.ts';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { formatCount, formatMeasure } from '../data/format.ts';
import { type FleetMetrics, metricsQuery, type TimeWindow, type TrendPoint } from '../data/queries.ts';
import { isoOf } from '../data/window.ts';
import { Change, CompareToggle, isCompared } from '../parts/compare.tsx';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import type { Search } from '../search.ts';
import { useNow } from '../parts/time.tsx';
import { TimeRange } from '../parts/time-range.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { DayChart } from './day-chart.tsx';
import { DEFAULT_WINDOW, type DayWindow, dayWindowOf } from './day-window.ts';
import { MEASURE_GROUPS, shownMeasures } from './measures.ts';
import list from '../parts/list-view.module.css';
import styles from './metrics.module.css';

const PRESETS = ['7d', '30d', DEFAULT_WINDOW, '365d'];

const NO_POINTS: { value: number | null }[] = [];

/** Daily telemetry and alerts of the fleet. */
export function Metrics() {
  useTitle('Metrics');
  const services = useServices();
  const scope = useScope();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const update = (change: Search) =>
    void navigate({ to: '.', search: (current) => ({ ...current, ...change }) });
  const days = dayWindowOf(search, useNow(), isCompared(search));
  const query = useQuery(metricsQuery(services, scope, days.window));
  const past = useQuery({
    ...metricsQuery(services, scope, days.before ?? days.window),
    enabled: days.before !== undefined,
  });
  const isLoading = query.isPlaceholderData || (days.before !== undefined && past.isPlaceholderData);
  return (
    <div className={styles.view}>
      <header className={list.head}>
        <h1>Metrics</h1>
        {days.before && days.window.from && days.window.to ? (
          <p>
            {datesText(days.window)} with {datesText(days.before)}, whole days in UTC
          </p>
        ) : null}
        <StaleNote />
        <div className={list.tools}>
          <TimeRange search={search} presets={PRESETS} initial={DEFAULT_WINDOW} onChange={update} />
          <CompareToggle search={search} onChange={update} />
        </div>
      </header>
      <Loaded query={query} skeleton={<MetricsSkeleton />}>
        {({ metrics }) =>
          isLoading ? (
            <MetricsSkeleton />
          ) : isEmpty(metrics) ? (
            <Empty title="No data in this time.">
              <p>Choose a longer window, or import samples of GPUs and hosts.</p>
            </Empty>
          ) : (
            <Charts
              metrics={metrics}
              before={days.before === undefined ? undefined : past.data?.metrics}
              days={days}
            />
          )
        }
      </Loaded>
    </div>
  );
}

/** Returns `2026-11-20 to 2026-11-26`. */
function datesText({ from = '', to = '' }: TimeWindow): string {
  return `${from.slice(0, 10)} to ${isoOf(Date.parse(to) - DAY_MS).slice(0, 10)}`;
}

function isEmpty({ metrics_charts: charts, alerts_by_severity: severities }: FleetMetrics): boolean {
  return Object.keys(charts).length === 0 && severities.every(({ value }) => value === 0);
}

function MetricsSkeleton() {
  return (
    <div className={styles.charts}>
      {Array.from({ length: 12 }, (_unused, n) => (
        <Skeleton key={n} height="10.5rem" />
      ))}
    </div>
  );
}

interface ChartsProps {
  metrics: FleetMetrics;
  /** The metrics of the period before; undefined without a comparison. */
  before: FleetMetrics | undefined;
  days: DayWindow;
}

function Charts({ metrics, before, days: { endMs, hasToday } }: ChartsProps) {
  return (
    <>
      <Alerts metrics={metrics} before={before} endMs={endMs} hasToday={hasToday} />
      {MEASURE_GROUPS.map(({ title, measures }) => {
        const shown = shownMeasures(measures, metrics.metrics_charts);
        if (shown.length === 0) return null;
        return (
          <Panel key={title} title={title}>
            <div className={styles.charts}>
              {shown.map(({ key, ...each }) =>
                each.aggregate === 'now' ? (
                  <PresentNumber key={key} label={each.label} value={metrics.metrics_summary[key]} />
                ) : (
                  <DayChart
                    key={key}
                    {...each}
                    summary={metrics.metrics_summary[key]}
                    points={metrics.metrics_charts[key] ?? NO_POINTS}
                    before={
                      before && {
                        summary: before.metrics_summary[key],
                        points: before.metrics_charts[key] ?? NO_POINTS,
                      }
                    }
                    endMs={endMs}
                    hasToday={hasToday}
                  />
                ),
              )}
            </div>
          </Panel>
        );
      })}
      {metrics.asset_coverage.length === 0 ? null : (
        <Panel title="Assets">
          <div className={styles.charts}>
            {metrics.asset_coverage.map(({ label, count, data }) => (
              <DayChart
                key={label}
                label={label}
                unit=""
                aggregate="seen"
                summary={count}
                points={data}
                before={before && assetsOf(before, label)}
                endMs={endMs}
                hasToday={hasToday}
              />
            ))}
          </div>
        </Panel>
      )}
    </>
  );
}

function assetsOf({ asset_coverage }: FleetMetrics, wanted: string) {
  const asset = asset_coverage.find(({ label }) => label === wanted);
  return { summary: asset?.count ?? null, points: asset?.data ?? NO_POINTS };
}

/** A number of GPUs at present, which has no days. */
function PresentNumber({ label, value }: { label: string; value: number | null }) {
  return (
    <div className={styles.chart}>
      <h3>{label}</h3>
      <p>
        <strong>{formatMeasure(value)}</strong> {value === 1 ? 'GPU' : 'GPUs'} at present
      </p>
    </div>
  );
}

interface AlertsProps extends Omit<ChartsProps, 'days'>, Pick<DayWindow, 'endMs' | 'hasToday'> {}

function Alerts({ metrics: { alerts_by_severity: severities }, before, endMs, hasToday }: AlertsProps) {
  const { points, fromMs } = useMemo(() => pointsOf(severities, endMs), [severities, endMs]);
  const past = useMemo(() => {
    if (before === undefined) return undefined;
    const { points: pastPoints, fromMs: pastMs } = pointsOf(before.alerts_by_severity, fromMs);
    return { points: pastPoints, fromMs: pastMs, toMs: fromMs };
  }, [before, fromMs]);
  return (
    <Panel
      title="Alerts by severity"
      aside={
        <ul className={styles.severities}>
          {severities.map(({ label, value }) => (
            <li key={label}>
              <SeverityMark severity={label} />{' '}
              {before ? (
                <>
                  {formatCount(value)}, <Change now={value} before={countOf(before, label)} />
                </>
              ) : (
                formatCount(value)
              )}
            </li>
          ))}
        </ul>
      }
    >
      <StackedBars
        points={points}
        unit="day"
        fromMs={fromMs}
        toMs={endMs}
        before={past}
        isLastPartial={hasToday}
        title="Alerts per day by severity"
      />
    </Panel>
  );
}

function countOf({ alerts_by_severity }: FleetMetrics, severity: string): number | undefined {
  return alerts_by_severity.find(({ label }) => label === severity)?.value;
}

/** Returns the alerts per day, and the begin of the first day that the response has. */
function pointsOf(severities: FleetMetrics['alerts_by_severity'], endMs: number) {
  const fromMs = endMs - (severities[0]?.data.length ?? 0) * DAY_MS;
  const points: TrendPoint[] = severities.flatMap(({ label, data }) =>
    data.map(({ value }, n) => ({ bucket: isoOf(fromMs + n * DAY_MS), severity: label, count: value })),
  );
  return { points, fromMs };
}
