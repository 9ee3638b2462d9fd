import { Link } from '@tanstack/react-router';
import { changeText } from '../data/change.ts';
import { formatColumn, formatCount, formatMeasure, NO_DATA } from '../data/format.ts';
import { HostLink } from '../parts/host-link.tsx';
import { Empty } from '../parts/states.tsx';
import type { Search } from '../search.ts';
import { INITIAL_WINDOW, type UsageGroup } from './queries.ts';
import { hoursOf, UsageBar } from './usage-bar.tsx';
import { rounded } from './usage-totals.tsx';
import styles from './usage.module.css';

interface UsageTableProps {
  groups: UsageGroup[];
  /** The groups of the window before; undefined until they are known. */
  before: UsageGroup[] | undefined;
  /** Names by id. */
  workspaces: Map<number, string>;
}

/** GPU-hours and energy of each workspace, model or host. */
export function UsageTable({ groups, before, workspaces }: UsageTableProps) {
  if (groups.length === 0) return <Empty title="No GPU has sent telemetry." />;
  const max = Math.max(...groups.map(hoursOf));
  const previous = new Map(before?.map((group) => [keyOf(group), group]));
  return (
    <div className={styles.scroller} tabIndex={0} role="region" aria-label="Who uses the GPUs">
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Name</th>
            <th data-number>GPUs</th>
            <th className={styles.barCell}>
              {['busy', 'idle', 'missing'].map((kind) => (
                <span key={kind} className={styles.key} data-kind={kind}>
                  {kind}
                </span>
              ))}
            </th>
            <th data-number>Busy share</th>
            <th data-number>Busy</th>
            <th data-number>Idle</th>
            <th data-number>Missing</th>
            <th data-number>Energy</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => {
            const earlier = previous.get(keyOf(group));
            const measured = group.busy_gpu_hours + group.idle_gpu_hours;
            return (
              <tr key={keyOf(group)}>
                <th scope="row">
                  <Name group={group} workspaces={workspaces} />
                </th>
                <td data-number>{formatCount(group.gpu_count)}</td>
                <td className={styles.barCell}>
                  <UsageBar usage={group} max={max} />
                </td>
                <td data-number>
                  {measured === 0 ? NO_DATA : formatColumn((100 * group.busy_gpu_hours) / measured, '%')}
                </td>
                <Cell value={group.busy_gpu_hours} unit="h" before={earlier?.busy_gpu_hours} />
                <Cell value={group.idle_gpu_hours} unit="h" before={earlier?.idle_gpu_hours} />
                <Cell value={group.missing_gpu_hours} unit="h" before={earlier?.missing_gpu_hours} />
                <Cell value={group.energy_kwh} unit="kWh" before={earlier?.energy_kwh} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function keyOf({ customer_id, workspace_id, model, hostname }: UsageGroup): string {
  return JSON.stringify([customer_id, workspace_id, model, hostname]);
}

/** The name of a group: workspaces and models lead to their GPUs, hosts to their page. */
function Name({ group, workspaces }: { group: UsageGroup; workspaces: Map<number, string> }) {
  if (group.hostname !== undefined) return <HostLink hostname={group.hostname} />;
  if (group.model !== undefined) {
    return (
      <Link
        to="/gpus"
        search={({ window = INITIAL_WINDOW }: Search) => ({
          model: group.model,
          view: 'table',
          sort: '-utilization',
          window,
        })}
      >
        <bdi>{group.model || 'unknown model'}</bdi>
      </Link>
    );
  }
  const id = group.workspace_id as number;
  return (
    <Link to="/usage" search={(search) => ({ ...search, workspace: String(id), by: 'host' })}>
      <bdi>{workspaces.get(id) ?? `workspace ${id}`}</bdi>
    </Link>
  );
}

function Cell({
  value,
  unit,
  before,
}: {
  value: number | null;
  unit: string;
  before: number | null | undefined;
}) {
  return (
    <td data-number data-unknown={value === null}>
      {formatMeasure(rounded(value), unit)}
      <small>{before === undefined || value === null ? '' : changeText(value, before, unit)}</small>
    </td>
  );
}
