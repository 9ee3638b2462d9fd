import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { alertTypeTitle } from '../data/format.ts';
import { type AlertDetail, alertQuery, timelineQuery } from '../data/queries.ts';
import { SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import { CopyButtons } from './copy-buttons.tsx';
import { evidenceSections } from './evidence.ts';
import { Timeline } from './timeline.tsx';
import styles from './alert-view.module.css';

// uPlot is loaded with the first alert that has readings.
const Readings = lazy(() =>
  import('./readings.tsx').then(({ Readings: component }) => ({ default: component })),
);

/** One alert: what happened, where, the evidence, and the events that led to it. */
export function AlertView({ id }: { id: string }) {
  const services = useServices();
  const { data, error, refetch } = useQuery(alertQuery(services, id));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={10} />;
  const { alert } = data;
  const gpu = alert.resource_details.gpu_details;
  return (
    <article className={styles.alert}>
      <header>
        <p className={styles.kicker}>
          <SeverityMark severity={alert.severity} />
          <span>{alertTypeTitle(alert.type)}</span>
          <span>{alert.state}</span>
          <Time iso={alert.created_at} />
        </p>
        <h1>
          <bdi>{alert.title}</bdi>
        </h1>
        <p className={styles.description}>
          <bdi>{alert.description}</bdi>
        </p>
      </header>
      <Where alert={alert} />
      {gpu && (gpu.utilization_data.length > 1 || gpu.temperature_chart.length > 1) ? (
        <Panel title="Readings of the GPU">
          <Suspense fallback={<Skeleton height="120px" />}>
            <Readings gpu={gpu} />
          </Suspense>
        </Panel>
      ) : null}
      {evidenceSections(alert).map(({ title, fields }) => (
        <Panel key={title} title={title}>
          <dl className={styles.fields}>
            {fields.map(({ label, value, isCode }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd data-code={isCode}>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      ))}
      <Events id={id} />
      <CopyButtons alert={alert} />
    </article>
  );
}

function Where({ alert }: { alert: AlertDetail }) {
  const gpu = alert.resource_details.gpu_details;
  return (
    <dl className={styles.where}>
      {alert.hostname === null ? null : (
        <div>
          <dt>Host</dt>
          <dd>
            <bdi>{alert.hostname}</bdi>{' '}
            <Link to="/alerts" search={{ hostname: alert.hostname }}>
              its alerts
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
    </dl>
  );
}

function Events({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(timelineQuery(useServices(), id));
  return (
    <Panel title="Timeline">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton lines={4} />
      ) : data.timeline_events.length === 0 ? (
        <Empty title="No events were recorded for this alert." />
      ) : (
        <Timeline events={data.timeline_events} />
      )}
    </Panel>
  );
}
