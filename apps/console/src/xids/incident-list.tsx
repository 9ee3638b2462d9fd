import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import { xidInstruction } from '../data/health-rules.ts';
import type { Severity } from '../data/queries.ts';
import { gpuLabel } from '../parts/gpu-label.ts';
import { HostLink } from '../parts/host-link.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import { type XidFilters, type XidIncident, xidPagesQuery } from './queries.ts';
import styles from './xids.module.css';

interface IncidentListProps {
  filters: XidFilters;
  onClear: () => void;
}

/** The incidents that the filters select, the newest first, page by page. */
export function IncidentList({ filters, onClear }: IncidentListProps) {
  const query = useInfiniteQuery(xidPagesQuery(useServices(), filters));
  return (
    <Panel
      title="Incidents"
      isLive
      aside={[filters.code && `XID ${filters.code}`, filters.hostname].filter(Boolean).join(', ')}
    >
      <Loaded query={query} skeleton={<Skeleton lines={8} height="3rem" />}>
        {({ pages }) => {
          const incidents = pages.flatMap(({ incidents: page = [] }) => page);
          if (incidents.length === 0) {
            return (
              <Empty title="No incident matches these filters.">
                <button type="button" onClick={onClear}>
                  Clear filters
                </button>
              </Empty>
            );
          }
          return (
            <>
              <ul className={styles.incidents}>
                {incidents.map((incident) => (
                  <Incident
                    key={`${incident.gpu_id} ${incident.code} ${incident.first_at} ${incident.message}`}
                    incident={incident}
                  />
                ))}
              </ul>
              {query.hasNextPage ? (
                <button
                  type="button"
                  disabled={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {query.isFetchingNextPage ? 'Loading…' : 'Show earlier incidents'}
                </button>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function Incident({ incident }: { incident: XidIncident }) {
  const { code, name, severity, action, gpu_id, hostname, alert_id, first_at, count, workloads } = incident;
  return (
    <li>
      <SeverityMark severity={severity as Severity} />
      <span className={styles.what}>
        <strong>
          XID {code}, <bdi>{name}</bdi>
        </strong>
        {count > 1 ? ` (${formatCount(count)} times)` : ''}
        <span>
          <HostLink hostname={hostname} />{' '}
          <Link to="/gpus/$id" params={{ id: gpu_id }} className={styles.code}>
            {gpuLabel(gpu_id)}
          </Link>
        </span>
      </span>
      <span className={styles.job}>
        {workloads.length === 0 ? (
          <span className={styles.quiet}>No job is known at that time.</span>
        ) : (
          workloads.map((workload) => (
            <bdi key={workload.name} title={workload.description}>
              {workload.name}
            </bdi>
          ))
        )}
      </span>
      <span className={styles.todo}>
        {xidInstruction(action)}{' '}
        {alert_id === null ? null : (
          <Link to="/alerts/$id" params={{ id: alert_id }}>
            Its alert
          </Link>
        )}
      </span>
      <Time iso={first_at} />
    </li>
  );
}
