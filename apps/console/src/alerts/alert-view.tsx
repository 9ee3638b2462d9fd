import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, use } from 'react';
import { ChartBoundary } from '../charts/chart-boundary.tsx';
import { alertTypeTitle, formatCount } from '../data/format.ts';
import { type AlertDetail, alertQuery, newestAlertsQuery, timelineQuery } from '../data/queries.ts';
import { HostLink } from '../parts/host-link.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { Time, TimeZoneContext } from '../parts/time.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useServices } from '../session/services.ts';
import { CopyButtons } from './copy-buttons.tsx';
import { evidenceSections } from './evidence.ts';
import { alertFilters, alertsOfHost } from './filters.ts';
import { equalTitle } from './groupings.ts';
import { Narrow } from './narrow.tsx';
import { PidPivot, Pivots } from './pivots.tsx';
import { Timeline } from './timeline.tsx';
import styles from './alert-view.module.css';

// uPlot is loaded with the first alert that has readings.
const Readings = lazy(() =>
  import('./readings.tsx').then(({ Readings: component }) => ({ default: component })),
);

/** Characters above which a field takes two columns, and the whole width. */
const LONG_VALUE = 20;
const VERY_LONG_VALUE = 44;

interface AlertViewProps {
  id: string;
  /** Whether it is a whole view, so that its title is the heading of the page. */
  isPage?: boolean;
}

/** One alert: what happened, where, the evidence, and the events that led to it. */
export function AlertView({ id, isPage = false }: AlertViewProps) {
  const services = useServices();
  return (
    <Loaded isPage={isPage} query={useQuery(alertQuery(services, id))} skeleton={<AlertSkeleton />}>
      {({ alert }) => <Alert alert={alert} isPage={isPage} />}
    </Loaded>
  );
}

function Alert({ alert, isPage }: { alert: AlertDetail; isPage: boolean }) {
  const Title = isPage ? 'h1' : 'h2';
  useTitle(isPage ? alert.title : 'Alerts');
  const gpu = alert.resource_details.gpu_details;
  return (
    <article className={styles.alert}>
      <header>
        <p className={styles.kicker}>
          <SeverityMark severity={alert.severity} />
          <span>
            {alertTypeTitle(alert.type)}
            <Narrow field="type" value={alert.type} noun="this type" />
          </span>
          <span>{alert.state}</span>
          <Time iso={alert.created_at} />
        </p>
        <Title className={styles.title}>
          <bdi>{alert.title}</bdi>
        </Title>
        {alert.description === '' ? null : (
          // Focusable, because a long description scrolls.
          <p className={styles.description} tabIndex={0}>
            <Pivots text={alert.description} alert={alert} isSearched />
          </p>
        )}
      </header>
      <Where alert={alert} />
      <div className={styles.parts}>
        <div className={styles.story}>
          {gpu && (gpu.utilization_data.length > 1 || gpu.temperature_chart.length > 1) ? (
            <Panel title="Readings of the GPU">
              <ChartBoundary title="Readings of the GPU">
                <Suspense fallback={<Skeleton height="150px" />}>
                  <Readings gpu={gpu} />
                </Suspense>
              </ChartBoundary>
            </Panel>
          ) : null}
          <Events alert={alert} />
        </div>
        <Evidence alert={alert} />
      </div>
      <CopyButtons alert={alert} />
    </article>
  );
}

/** The sections of the alert's resources that have data. */
function Evidence({ alert }: { alert: AlertDetail }) {
  const zone = use(TimeZoneContext);
  return (
    <div className={styles.evidence}>
      {evidenceSections(alert, zone).map(({ title, fields }) => (
        <Panel key={title} title={title}>
          <dl className={styles.fields}>
            {fields.map(({ label, value, isCode }) => (
              <div key={label} {...(value.length > LONG_VALUE && { 'data-long': lengthOf(value) })}>
                <dt>{label}</dt>
                <dd data-code={isCode} {...(isCode && { tabIndex: 0 })}>
                  {/PID$/.test(label) && value !== '0' ? (
                    <PidPivot text={value} alert={alert} />
                  ) : (
                    <Pivots text={value} alert={alert} />
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      ))}
      <Identifiers alert={alert} />
    </div>
  );
}

/** The ids of the alert and of its source, for a ticket or a request to the API. */
function Identifiers({ alert }: { alert: AlertDetail }) {
  const { id, api_key_id: key, session_id, host_id } = alert;
  const ids = [
    ['Alert ID', id],
    ['Session ID', session_id],
    ['Host ID', host_id],
  ] as const;
  return (
    <Panel title="Identifiers">
      <dl className={styles.fields}>
        {ids.map(([label, value]) =>
          value ? (
            <div key={label} data-long="true">
              <dt>{label}</dt>
              <dd data-code="true" tabIndex={0}>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ) : null,
        )}
        {key === null ? null : (
          <div>
            <dt>API key ID</dt>
            <dd data-code="true">
              {key}{' '}
              <Link to="/alerts" search={{ api_key: String(key) }}>
                Alerts of this key
              </Link>
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}

function lengthOf(value: string): 'true' | 'very' {
  return value.length > VERY_LONG_VALUE ? 'very' : 'true';
}

function AlertSkeleton() {
  return (
    <div className={styles.alert}>
      <Skeleton height="1.1rem" />
      <Skeleton height="2rem" />
      <Skeleton height="3rem" />
      <Skeleton lines={2} height="2.5rem" />
      <Skeleton lines={6} height="2.2rem" />
    </div>
  );
}

function Where({ alert }: { alert: AlertDetail }) {
  const gpu = alert.resource_details.gpu_details;
  return (
    <dl className={styles.where}>
      {alert.hostname === null ? null : (
        <div data-long={alert.hostname.length > 20}>
          <dt>Host</dt>
          <dd>
            <HostLink hostname={alert.hostname} />
            <Narrow field="hostname" value={alert.hostname} noun="this host" />
            <br />
            <Link to="/alerts" search={{ ...alertsOfHost(alert.hostname), to: endOf(alert.created_at) }}>
              More alerts of the host before this one
            </Link>
          </dd>
        </div>
      )}
      {gpu?.gpu_id ? (
        <div>
          <dt>GPU</dt>
          <dd>
            <Link to="/gpus/$id" params={{ id: gpu.gpu_id }}>
              {gpu.model || gpu.gpu_id}
            </Link>
          </dd>
        </div>
      ) : null}
      {alert.workspace_name === '' ? null : (
        <div>
          <dt>Workspace</dt>
          <dd>
            <bdi>{alert.workspace_name}</bdi>
          </dd>
        </div>
      )}
      <div>
        <dt>Time</dt>
        <dd>
          <Time iso={alert.created_at} exact />
        </dd>
      </div>
      <EqualAlerts alert={alert} />
    </dl>
  );
}

/** The number of alerts with the same title on the same host. */
function EqualAlerts({ alert: { title, hostname } }: { alert: AlertDetail }) {
  const search = { ...equalTitle(title), ...(hostname !== null && alertsOfHost(hostname)) };
  const { data } = useQuery(newestAlertsQuery(useServices(), alertFilters(search, {}), 1));
  return (
    <div>
      <dt>Equal alerts{hostname === null ? '' : ' of the host'}</dt>
      <dd>
        {data ? (
          <Link to="/alerts" search={search}>
            {data.total_size === null ? 'Show all' : formatCount(data.total_size)}
          </Link>
        ) : (
          '…'
        )}
        <Narrow field="title" value={title} noun="this title" />
      </dd>
    </div>
  );
}

/** Returns the end of the second: `to` is exclusive, and the list should end with this alert. */
function endOf(iso: string): string {
  return new Date(Math.floor(Date.parse(iso) / 1_000) * 1_000 + 1_000).toISOString();
}

function Events({ alert }: { alert: AlertDetail }) {
  const query = useQuery(timelineQuery(useServices(), alert.id));
  return (
    <Panel title="Timeline">
      <Loaded query={query} skeleton={<Skeleton lines={4} />}>
        {({ timeline_events: events }) =>
          events.length === 0 ? (
            <Empty title="No events were recorded for this alert." />
          ) : (
            <Timeline events={events} alert={alert} />
          )
        }
      </Loaded>
    </Panel>
  );
}
