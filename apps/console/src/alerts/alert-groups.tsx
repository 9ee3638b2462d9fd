import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { formatCount } from '../data/format.ts';
import { type AlertGrouping, alertGroupsQuery } from '../data/alert-groups.ts';
import {
  type AlertFilters,
  type Gpu,
  gpusQuery,
  newestAlertsQuery,
  workspacesQuery,
} from '../data/queries.ts';
import { SEVERITIES } from '../data/severities.ts';
import { Loaded } from '../parts/loaded.tsx';
import { slotOf } from '../parts/gpu-label.ts';
import { SeverityMark } from '../parts/marks.tsx';
import { ROW_LINK } from '../parts/row-link.ts';
import { Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import styles from './alert-groups.module.css';
import { equalAlerts, type Group, groupOf, type GroupingName, GROUPINGS } from './groupings.ts';

const MAX_GROUPS = 200;
/** Alerts that are compared with each other: the newest ones. */
const COMPARED_ALERTS = 2_000;

interface AlertGroupsProps {
  filters: AlertFilters;
  grouping: GroupingName;
  onNone: () => ReactNode;
}

/** The matching alerts in groups; a click shows those of one group. */
export function AlertGroups({ filters, grouping, onNone }: AlertGroupsProps) {
  return grouping === 'equal' ? (
    <EqualAlerts filters={filters} onNone={onNone} />
  ) : (
    <ApiGroups filters={filters} grouping={grouping} onNone={onNone} />
  );
}

function ApiGroups({ filters, grouping, onNone }: AlertGroupsProps & { grouping: AlertGrouping }) {
  const services = useServices();
  const { data: listed } = useQuery(workspacesQuery(services));
  const workspaces = useMemo(() => new Map(listed?.workspaces.map(({ id, name }) => [id, name])), [listed]);
  const { data: fleet } = useQuery({ ...gpusQuery(services, useScope()), enabled: grouping === 'gpu' });
  const gpus = useMemo(() => new Map(fleet?.gpus.map((gpu) => [gpu.gpu_id, placeOf(gpu)])), [fleet]);
  const query = useQuery(alertGroupsQuery(services, filters, grouping, MAX_GROUPS));
  return (
    <Loaded query={query} skeleton={<Skeleton lines={12} height="1.6rem" />}>
      {({ groups, group_count }) =>
        groups.length === 0 ? (
          onNone()
        ) : (
          <GroupTable
            grouping={grouping}
            groups={groups.map((group) => groupOf(group, workspaces, gpus))}
            note={
              group_count > groups.length
                ? `The ${formatCount(groups.length)} largest of ${formatCount(group_count)} groups.`
                : undefined
            }
          />
        )
      }
    </Loaded>
  );
}

function placeOf({ hostname, pcie_address }: Gpu): string {
  return `${hostname} ${slotOf(pcie_address)}`.trim();
}

function EqualAlerts({ filters, onNone }: Omit<AlertGroupsProps, 'grouping'>) {
  const query = useQuery(newestAlertsQuery(useServices(), filters, COMPARED_ALERTS));
  const groups = useMemo(() => equalAlerts(query.data?.alerts ?? []), [query.data]);
  return (
    <Loaded query={query} skeleton={<Skeleton lines={12} height="1.6rem" />}>
      {({ alerts, next_page_token }) =>
        alerts.length === 0 ? (
          onNone()
        ) : (
          <GroupTable
            grouping="equal"
            groups={groups.slice(0, MAX_GROUPS)}
            note={
              next_page_token === undefined
                ? undefined
                : `Of the newest ${formatCount(alerts.length)} alerts; narrow the filters to group all.`
            }
          />
        )
      }
    </Loaded>
  );
}

interface GroupTableProps {
  grouping: GroupingName;
  groups: Group[];
  note: string | undefined;
}

function GroupTable({ grouping, groups, note }: GroupTableProps) {
  const max = Math.max(1, ...groups.map(({ count }) => count));
  return (
    // Focusable, because it scrolls.
    <div className={styles.scroller} tabIndex={0} role="region" aria-label="Groups of alerts">
      {note === undefined ? null : <p className={styles.note}>{note}</p>}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{GROUPINGS[grouping].column}</th>
            <th scope="col" data-number>
              Alerts
            </th>
            <th scope="col">By severity</th>
            <th scope="col">First</th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.key} {...ROW_LINK} data-link={Boolean(group.narrow ?? group.gpuId)}>
              <th scope="row">
                <Title group={group} />
              </th>
              <td data-number>
                {formatCount(group.count)}
                <span className={styles.bar} aria-hidden="true">
                  <span style={{ width: `${(group.count / max) * 100}%` }} />
                </span>
              </td>
              <td>
                <Severities group={group} />
              </td>
              <td>
                <Time iso={group.first_at} />
              </td>
              <td>
                <Time iso={group.last_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Title({ group: { title, detail, narrow, gpuId } }: { group: Group }) {
  const text = (
    <>
      <bdi title={title}>{title}</bdi>
      {detail === undefined ? null : <bdi className={styles.detail}>{detail}</bdi>}
    </>
  );
  if (narrow) {
    const search = (current: Search) => ({ ...narrow(current), group: undefined });
    return (
      <Link to="/alerts" search={search} preload={false}>
        {text}
      </Link>
    );
  }
  if (gpuId === undefined) return text;
  return (
    <Link to="/gpus/$id" params={{ id: gpuId }} search={{}} preload={false}>
      {text}
    </Link>
  );
}

function Severities({ group: { by_severity } }: { group: Group }) {
  return (
    <ul className={styles.severities}>
      {SEVERITIES.map((severity, n) =>
        by_severity[severity] === 0 ? null : (
          <li key={severity} title={severity} style={{ gridColumn: n + 1 }}>
            <SeverityMark severity={severity} iconOnly /> {formatCount(by_severity[severity])}
          </li>
        ),
      )}
    </ul>
  );
}
