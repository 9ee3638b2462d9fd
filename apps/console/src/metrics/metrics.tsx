import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DAY_MS } from '../data/durations.ts';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { formatCount, formatMeasure } from '../data/format.ts';
import { type FleetMetrics, metricsQuery } from '../data/queries.ts';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Segmented } from '../parts/segmented.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import type { Search } from '../search.ts';
import { useNow } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { DayChart } from './day-chart.tsx';
import { MEASURE_GROUPS, shownMeasures } from './measures.ts';
import list from '../parts/list-view.module.css';
import styles from './metrics.module.css';

const DEFAULT_DAYS = '90';
const WINDOWS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '365 days'],
] as const;

/** Daily telemetry and alerts of the fleet. */
export function Metrics() {
  useTitle('Metrics');
  const services = useServices();
  const scope = useScope();
  const { days: text } = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const days = WINDOWS.find(([value]) => value === text)?.[0] ?? DEFAULT_DAYS;
  const day = Math.floor(useNow() / DAY_MS);
  const window = useMemo(() => windowOf(Number(days), day), [days, day]);
  const query = useQuery(metricsQuery(services, scope, window));
  return (
    <div className={styles.view}>
      <header className={list.head}>
        <h1>Metrics</h1>
        <StaleNote />
        <div className={list.tools}>
          <Segmented
            label="Window"
            options={WINDOWS}
            selected={days}
            onSelect={(value) =>
              void navigate({
                to: '.',
                search: (search) => ({ ...search, days: value === DEFAULT_DAYS ? undefined : value }),
              })
            }
          />
        </div>
      </header>
      <Loaded query={query} skeleton={<MetricsSkeleton />}>
        {({ metrics }) =>
          query.isPlaceholderData ? (
            <MetricsSkeleton />
          ) : isEmpty(metrics) ? (
            <Empty title={`No data in the last ${days} days.`}>
              <p>Choose a longer window, or import samples of GPUs and hosts.</p>
            </Empty>
          ) : (
            <Charts metrics={metrics} fromMs={Date.parse(window.from)} toMs={Date.parse(window.to)} />
          )
        }
      </Loaded>
    </div>
  );
}

/** Whole UTC days, the current one included; the API widens windows to days in any case. */
function windowOf(days: number, day: number): { from: string; to: string } {
  const toMs = (day + 1) * DAY_MS;
  return { from: new Date(toMs - days * DAY_MS).toISOString(), to: new Date(toMs).toISOString() };
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
  fromMs: number;
  toMs: number;
}

function Charts({ metrics, fromMs, toMs }: ChartsProps) {
  return (
    <>
      <Alerts metrics={metrics} fromMs={fromMs} toMs={toMs} />
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
                    points={metrics.metrics_charts[key] ?? []}
                    fromMs={fromMs}
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
                fromMs={fromMs}
              />
            ))}
          </div>
        </Panel>
      )}
    </>
  );
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

function Alerts({ metrics: { alerts_by_severity: severities }, fromMs, toMs }: ChartsProps) {
  const points = useMemo(
    () =>
      severities.flatMap(({ label, data }) =>
        data.map(({ value }, n) => ({
          bucket: new Date(fromMs + n * DAY_MS).toISOString(),
          severity: label,
          count: value,
        })),
      ),
    [severities, fromMs],
  );
  return (
    <Panel
      title="Alerts by severity"
      aside={
        <ul className={styles.severities}>
          {severities.map(({ label, value }) => (
            <li key={label}>
              <SeverityMark severity={label} /> {formatCount(value)}
            </li>
          ))}
        </ul>
      }
    >
      <StackedBars
        points={points}
        unit="day"
        fromMs={fromMs}
        toMs={toMs}
        title="Alerts per day by severity"
      />
    </Panel>
  );
}
