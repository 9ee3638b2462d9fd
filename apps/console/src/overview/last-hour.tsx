import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { use } from 'react';
import { HOUR_MS } from '../data/durations.ts';
import { formatCount } from '../data/format.ts';
import { OutageContext } from '../data/outage.ts';
import { newestAlertsQuery, type Severity, summaryQuery } from '../data/queries.ts';
import { SEVERITIES } from '../data/severities.ts';
import { SeverityMark } from '../parts/marks.tsx';
import { Loaded, type LoadedQuery } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { AlertRows } from '../parts/alert-rows.tsx';
import { type Attention, gpuCount, newSince } from './attention.ts';
import { AttentionRow, MAX_ROWS as MAX_LISTED } from './attention-list.tsx';
import styles from './last-hour.module.css';
import lists from '../parts/rows.module.css';

/** Rows of newest alerts, so that they are as high as the dome. */
const MAX_ROWS = 5;
/** Further rows, on screens where the dome is higher. */
const MAX_WIDE_ROWS = 3;
const MAX_GPUS = 3;

interface LastHourProps {
  /** The query of the unhealthy GPUs. */
  unhealthy: LoadedQuery<unknown>;
  rows: Attention[];
  /** End of the hour in ms since the epoch; undefined until the time of the newest data is known. */
  endMs: number | undefined;
}

/** What changed in the hour before the newest data: alerts against the hour before, and GPUs that fell ill. */
export function LastHour({ unhealthy, rows, endMs }: LastHourProps) {
  const outage = use(OutageContext);
  if (endMs === undefined) {
    return (
      <Panel title="The last hour">
        {outage ? <Empty title="Not available at the moment." /> : <Skeleton lines={8} />}
      </Panel>
    );
  }
  return <Hour endMs={endMs} unhealthy={unhealthy} rows={rows} />;
}

function Hour({ endMs, unhealthy, rows }: LastHourProps & { endMs: number }) {
  const services = useServices();
  const scope = useScope();
  const [before, from, to] = [endMs - 2 * HOUR_MS, endMs - HOUR_MS, endMs].map((ms) =>
    new Date(ms).toISOString(),
  ) as [string, string, string];
  const current = useQuery(summaryQuery(services, { ...scope, from, to }));
  const previous = useQuery(summaryQuery(services, { ...scope, from: before, to: from }));
  // Critical alerts have a list of their own.
  const filters = { ...scope, 'filter[severity][in]': SEVERITIES.filter((each) => each !== 'critical') };
  const newest = useQuery(newestAlertsQuery(services, filters, MAX_ROWS + MAX_WIDE_ROWS));
  const fresh = newSince(rows, endMs - HOUR_MS);
  const listed = new Set(rows.slice(0, MAX_LISTED).flatMap(({ gpus }) => gpus));
  const unlisted = fresh.filter(({ gpu }) => !listed.has(gpu));
  const shown = unlisted.slice(0, MAX_GPUS);
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
        <Loaded query={unhealthy} skeleton={<Skeleton height="1.2rem" />}>
          {() => (
            <NewlyUnhealthy
              count={gpuCount(fresh)}
              total={gpuCount(rows)}
              shown={shown}
              isListed={fresh.length > unlisted.length}
            />
          )}
        </Loaded>
        <div>
          <h3>Newest alerts below critical</h3>
          <Loaded query={newest} skeleton={<Skeleton lines={MAX_ROWS} height="2.4rem" />}>
            {({ alerts }) =>
              alerts.length === 0 ? (
                <Empty title="No alerts yet." />
              ) : (
                <AlertRows alerts={alerts} wideFrom={MAX_ROWS - shown.length} />
              )
            }
          </Loaded>
        </div>
      </div>
    </Panel>
  );
}

interface NewlyUnhealthyProps {
  /** Number of GPUs that fell ill, and of all that are. */
  count: number;
  total: number;
  /** Those that the list below is too short for. */
  shown: Attention[];
  /** Whether that list has others. */
  isListed: boolean;
}

/** The number of GPUs that fell ill. They are rows of the list below, or here if that list is too short for them. */
function NewlyUnhealthy({ count, total, shown, isListed }: NewlyUnhealthyProps) {
  if (count === 0) {
    return (
      <p className={styles.quiet}>
        {total === 0
          ? 'No GPU is unhealthy.'
          : `No GPU is newly unhealthy: ${total === 1 ? 'the one that is' : `the ${formatCount(total)} that are`} unhealthy became so earlier.`}
      </p>
    );
  }
  return (
    <div>
      <p>
        <strong>
          {formatCount(count)} {count === 1 ? 'GPU is' : 'GPUs are'} newly unhealthy
        </strong>
        {isListed ? <span className={styles.quiet}>, marked “new” in the list.</span> : '.'}
      </p>
      {shown.length === 0 ? null : (
        <ul className={lists.rows}>
          {shown.map((row) => (
            <AttentionRow key={row.gpu.gpu_id} row={row} isNew={false} />
          ))}
        </ul>
      )}
    </div>
  );
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
