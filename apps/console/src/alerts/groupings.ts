import type { AlertGroup, AlertGrouping } from '../data/alert-groups.ts';
import { DAY_MS, HOUR_MS } from '../data/durations.ts';
import { alertTypeTitle } from '../data/format.ts';
import type { AlertItem, Severity } from '../data/queries.ts';
import { isoOf, withWindow } from '../data/window.ts';
import type { Search } from '../search.ts';
import { alertsOfHost } from './filters.ts';

/** Alerts that have something in common, with the numbers of the API. */
export interface Group extends Pick<AlertGroup, 'count' | 'by_severity' | 'first_at' | 'last_at'> {
  key: string;
  /** What they have in common. */
  title: string;
  /** The host of equal alerts. */
  detail: string | undefined;
  /** Selects the alerts of the group; undefined where the list has no filter for them. */
  narrow: ((search: Search) => Search) | undefined;
  /** Id of the GPU that the group is about, which has a page. */
  gpuId: string | undefined;
}

interface Grouping {
  /** After "Group by". */
  title: string;
  /** Title of the column. */
  column: string;
}

/** Search parameter `group`, in the order of the choice. */
export const GROUPINGS = {
  equal: { title: 'equal alerts', column: 'Alert and host' },
  host: { title: 'host', column: 'Host' },
  type: { title: 'type', column: 'Type' },
  gpu: { title: 'GPU', column: 'GPU' },
  workspace: { title: 'workspace', column: 'Workspace' },
  day: { title: 'day', column: 'Day, UTC' },
  hour: { title: 'hour', column: 'Hour, UTC' },
  severity: { title: 'severity', column: 'Severity' },
  state: { title: 'state', column: 'State' },
} satisfies Record<'equal' | AlertGrouping, Grouping>;
export type GroupingName = keyof typeof GROUPINGS;

export function groupingOf({ group }: Search): GroupingName | undefined {
  return group !== undefined && Object.hasOwn(GROUPINGS, group) ? (group as GroupingName) : undefined;
}

/**
 * Turns a group of the API into a row.
 *
 * @param workspaces names by id
 * @param gpus hosts and slots by id
 */
export function groupOf(
  group: AlertGroup,
  workspaces: Map<number, string>,
  gpus: Map<string, string>,
): Group {
  const { gpu_id } = group;
  const row = { ...group, detail: undefined, gpuId: gpu_id ?? undefined, ...meaningOf(group, workspaces) };
  const place = gpus.get(gpu_id ?? '');
  return place ? { ...row, title: place, detail: gpu_id ?? undefined } : row;
}

function meaningOf(
  { hostname, type, severity, state, day, hour, workspace_id: workspace, gpu_id, customer_id }: AlertGroup,
  workspaces: Map<number, string>,
): Pick<Group, 'key' | 'title' | 'narrow'> {
  const add = (change: Search) => (search: Search) => ({ ...search, ...change });
  if (hostname)
    return { key: `${customer_id} ${hostname}`, title: hostname, narrow: add(alertsOfHost(hostname)) };
  if (type) return { key: type, title: alertTypeTitle(type), narrow: add({ type, not_type: undefined }) };
  if (severity) return { key: severity, title: severity, narrow: add({ severity, not_severity: undefined }) };
  if (state) return { key: state, title: state, narrow: add({ state, not_state: undefined }) };
  if (workspace) {
    const title = workspaces.get(workspace) ?? `workspace ${workspace}`;
    return { key: String(workspace), title, narrow: add({ workspace: String(workspace) }) };
  }
  const start = hour ?? (day && `${day}T00:00:00Z`);
  if (start) {
    const fromMs = Date.parse(start);
    const window = { from: isoOf(fromMs), to: isoOf(fromMs + (hour ? HOUR_MS : DAY_MS)) };
    const title = start.slice(0, hour ? 16 : 10).replace('T', ' ');
    return { key: start, title, narrow: (search) => withWindow(search, window) };
  }
  return { key: gpu_id ?? `${customer_id}`, title: gpu_id ?? 'none stated', narrow: undefined };
}

/** Groups alerts with the same title, type and host; those with the most alerts first. */
export function equalAlerts(alerts: AlertItem[]): Group[] {
  const groups = Map.groupBy(alerts, ({ title, type, hostname }) => JSON.stringify([title, type, hostname]));
  return [...groups]
    .map(([key, members]): Group => {
      const { title, type, hostname } = members[0] as AlertItem;
      const times = members.map(({ created_at }) => created_at).sort();
      const of = (severity: Severity) => members.filter((each) => each.severity === severity).length;
      return {
        key,
        title,
        detail: hostname ?? undefined,
        count: members.length,
        by_severity: {
          critical: of('critical'),
          high: of('high'),
          medium: of('medium'),
          low: of('low'),
          info: of('info'),
        },
        first_at: times[0] ?? '',
        last_at: times.at(-1) ?? '',
        narrow: (search) => ({
          ...search,
          ...(hostname && alertsOfHost(hostname)),
          ...equalTitle(title),
          type,
          not_type: undefined,
        }),
        gpuId: undefined,
      };
    })
    .sort((a, b) => b.count - a.count || (a.last_at < b.last_at ? 1 : -1));
}

/** Returns the search of alerts with the same title. */
export function equalTitle(title: string): Search {
  return { title, title_operator: 'equals' };
}
