import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { use } from 'react';
import { MINUTE_MS, HOUR_MS } from '../data/durations.ts';
import { formatCount } from '../data/format.ts';
import { OutageContext } from '../data/outage.ts';
import { PulseContext } from '../data/pulse-context.ts';
import { newestAlertsQuery, type Severity, summaryQuery } from '../data/queries.ts';
import { SEVERITIES, SeverityMark } from '../parts/marks.tsx';
import { Loaded, type LoadedQuery } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { AlertRows } from './alert-rows.tsx';
import { type Attention, gpuCount, newSince } from './attention.ts';
import { AttentionRow } from './attention-list.tsx';
import styles from './last-hour.module.css';
import lists from './lists.module.css';
import type { AttentionState } from './use-attention.ts';

/** Rows of newest alerts and newly unhealthy GPUs together, so that they are as high as the dome. */
const MAX_ROWS = 5;
/** Further rows, on screens where the dome is higher. */
const MAX_WIDE_ROWS = 3;
const MAX_GPUS = 3;

interface LastHourProps {
  /** The query of the GPUs that the attention is about. */
  gpus: LoadedQuery<unknown>;
  attention: AttentionState;
}

/** What changed in the hour before the newest data: alerts against the hour before, and GPUs that fell ill. */
export function LastHour({ gpus, attention }: LastHourProps) {
  const { dataAsOf } = use(PulseContext);
  const outage = use(OutageContext);
  if (dataAsOf === undefined) {
    return (
      <Panel title="The last hour">
        {outage ? <Empty title="Not available at the moment." /> : <Skeleton lines={8} />}
      </Panel>
    );
  }
  // The end moves with the data, not with the clock: an idle page sends no requests.
  const endMs = (Math.floor(Date.parse(dataAsOf) / MINUTE_MS) + 1) * MINUTE_MS;
  return <Hour endMs={endMs} gpus={gpus} attention={attention} />;
}

function Hour({ endMs, gpus, attention }: LastHourProps & { endMs: number }) {
  const services = useServices();
  const scope = useScope();
  const [before, from, to] = [endMs - 2 * HOUR_MS, endMs - HOUR_MS, endMs].map((ms) =>
    new Date(ms).toISOString(),
  ) as [string, string, string];
  const current = useQuery(summaryQuery(services, { ...scope, from, to }));
  const previous = useQuery(summaryQuery(services, { ...scope, from: before, to: from }));
  const newest = useQuery(newestAlertsQuery(services, { ...scope }, MAX_ROWS + MAX_WIDE_ROWS));
  const fresh = newSince(attention.rows, endMs - HOUR_MS);
  const shownGpus = Math.min(fresh.length, MAX_GPUS);
  return (
    <Panel
      title="The last hour"
      isLive
      aside={
        <Link to="/alerts" search={{ from }}>
          since <Time iso={from} clock />
        </Link>
      }
    >
      <div className={styles.hour}>
        <Loaded query={current} skeleton={<Skeleton height="3.5rem" />}>
          {(summary) => (
            <div>
              <Counts
                from={from}
                counts={countsOf(summary)}
                before={previous.data && countsOf(previous.data)}
              />
              {previous.data ? <p className={styles.quiet}>+ and −: change from the hour before</p> : null}
            </div>
          )}
        </Loaded>
        <Loaded query={gpus} skeleton={<Skeleton height="1.2rem" />}>
          {() => <NewlyUnhealthy fresh={fresh} attention={attention} />}
        </Loaded>
        <div>
          <h3>Newest alerts</h3>
          <Loaded query={newest} skeleton={<Skeleton lines={MAX_ROWS} height="2.4rem" />}>
            {({ alerts }) =>
              alerts.length === 0 ? (
                <Empty title="No alerts yet." />
              ) : (
                <AlertRows
                  alerts={alerts.slice(0, MAX_ROWS + MAX_WIDE_ROWS - shownGpus)}
                  wideFrom={MAX_ROWS - shownGpus}
                />
              )
            }
          </Loaded>
        </div>
      </div>
    </Panel>
  );
}

interface NewlyUnhealthyProps {
  fresh: Attention[];
  attention: AttentionState;
}

/** The GPUs that fell ill, or how many unhealthy ones were checked for it. GPUs that have recovered are not among them. */
function NewlyUnhealthy({
  fresh,
  attention: { unhealthyCount, pendingCount, unknownCount },
}: NewlyUnhealthyProps) {
  const isComplete = pendingCount === 0 && unknownCount === 0;
  const count = gpuCount(fresh);
  return (
    <div>
      {fresh.length === 0 ? null : (
        <>
          <h3>
            {isComplete ? '' : 'At least '}
            {formatCount(count)} {count === 1 ? 'GPU is' : 'GPUs are'} newly unhealthy
          </h3>
          <ul className={lists.rows}>
            {fresh.slice(0, MAX_GPUS).map((row) => (
              <AttentionRow key={row.gpu.gpu_id} row={row} />
            ))}
          </ul>
        </>
      )}
      {isComplete && fresh.length > 0 ? null : (
        <p className={styles.quiet}>
          {pendingCount > 0
            ? `Checking since when ${unhealthyGpus(pendingCount, unhealthyCount)} are unhealthy…`
            : unknownCount > 0
              ? `Since when ${unhealthyGpus(unknownCount, unhealthyCount)} are unhealthy is not known.`
              : unhealthyCount === 0
                ? 'No GPU is unhealthy.'
                : `No GPU is newly unhealthy: ${unhealthyCount === 1 ? 'the one that is' : `the ${formatCount(unhealthyCount)} that are`} unhealthy became so earlier.`}
        </p>
      )}
    </div>
  );
}

function unhealthyGpus(count: number, of: number): string {
  return `${formatCount(count)} of ${formatCount(of)} unhealthy GPUs`;
}

type SeverityCounts = Map<Severity, number>;

function countsOf({
  summary,
}: {
  summary: { severity: { value: string; count: number }[] };
}): SeverityCounts {
  return new Map(summary.severity.map(({ value, count }) => [value as Severity, count]));
}

interface CountsProps {
  from: string;
  counts: SeverityCounts;
  /** Counts of the hour before; undefined until they are loaded. */
  before: SeverityCounts | undefined;
}

function Counts({ from, counts, before }: CountsProps) {
  const total = sum(counts);
  return (
    <dl className={styles.counts}>
      <div>
        <dt>Alerts</dt>
        <dd>
          <Link to="/alerts" search={{ from }}>
            {formatCount(total)}
          </Link>{' '}
          <Difference value={before && total - sum(before)} />
        </dd>
      </div>
      {SEVERITIES.map((severity) => {
        const count = counts.get(severity) ?? 0;
        return (
          <div key={severity}>
            <dt>
              <SeverityMark severity={severity} />
            </dt>
            <dd>
              <Link to="/alerts" search={{ from, severity }}>
                {formatCount(count)}
              </Link>{' '}
              <Difference value={before && count - (before.get(severity) ?? 0)} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Difference({ value }: { value: number | undefined }) {
  if (value === undefined) return null;
  const text = value === 0 ? '±0' : `${value > 0 ? '+' : '−'}${formatCount(Math.abs(value))}`;
  return (
    <small>
      {text}
      <span className="visually-hidden"> against the hour before</span>
    </small>
  );
}

function sum(counts: SeverityCounts): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
