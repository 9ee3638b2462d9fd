import type { AlertQuery, fleetTypes } from '@gpu-observatory/client';
import { queryOptions } from '@tanstack/react-query';
import type { Services } from '../session/services.ts';
import { LIVE, previousOf } from './live.ts';

type Schemas = fleetTypes.components['schemas'];
type TrendPoint = Schemas['SeverityTrendPoint'];
/** Filters of a list of alerts; `q` is the text of a search over title, description and host. */
export type AlertFilters = Omit<AlertQuery, 'page_size' | 'sort'> & { q?: string };

/** Counts of the facets of alerts. */
export interface AlertSummary {
  summary: Record<'severity' | 'type' | 'state', { value: string; count: number }[]>;
}

export type AlertGroup = Schemas['AlertGroupModel'];
export type AlertGrouping = NonNullable<
  NonNullable<fleetTypes.operations['groupAlerts']['parameters']['query']>['group_by']
>;

type Fleet = Services['fleet'];
/** Days of a trend: the most groups that a response has. */
const MAX_DAYS = 1_000;

export const alertGroupsQuery = (
  { fleet }: Services,
  filters: AlertFilters,
  group_by: AlertGrouping,
  page_size: number,
) =>
  queryOptions({
    queryKey: [LIVE, 'groups', filters, group_by, page_size],
    queryFn: ({ signal }) => groupsOf(fleet, { ...filters, group_by, page_size }, signal),
    placeholderData: previousOf(filters),
  });

/** Hosts with the most alerts; their facet ignores the filters of the host. */
export const topHostsQuery = (services: Services, filters: AlertFilters, page_size: number) =>
  alertGroupsQuery(services, withoutField(filters, 'hostname'), 'host', page_size);

/** The counts of the facets for a search, whose text the summary does not accept. Groups have no states. */
export async function searchSummary(
  fleet: Fleet,
  filters: AlertFilters,
  signal: AbortSignal,
): Promise<AlertSummary> {
  const countsOf = async (group_by: 'severity' | 'type') => {
    const { groups } = await groupsOf(fleet, { ...withoutField(filters, group_by), group_by }, signal);
    return groups.map((group) => ({ value: group[group_by] ?? '', count: group.count }));
  };
  const [severity, type] = await Promise.all([countsOf('severity'), countsOf('type')]);
  return { summary: { severity, type, state: [] } };
}

/** The trend for a search, by day. */
export async function searchTrend(fleet: Fleet, filters: AlertFilters, signal: AbortSignal) {
  const query = { ...filters, group_by: 'day', page_size: MAX_DAYS } as const;
  const { groups } = await groupsOf(fleet, query, signal);
  const points = groups.toReversed().flatMap(({ day, by_severity }) =>
    Object.entries(by_severity).map(([severity, count]): TrendPoint => ({
      bucket: `${day}T00:00:00Z`,
      severity: severity as TrendPoint['severity'],
      count,
    })),
  );
  return { points };
}

type GroupsQuery = NonNullable<fleetTypes.operations['groupAlerts']['parameters']['query']>;

function groupsOf(fleet: Fleet, query: GroupsQuery, signal: AbortSignal) {
  return fleet.get('/api/v1/alerts:groups', { params: { query }, signal });
}

/** Returns filters without those of one field, whose values are counted. */
function withoutField(filters: AlertFilters, field: 'severity' | 'type' | 'hostname'): AlertFilters {
  const isOther = ([name]: [string, unknown]) => !name.startsWith(`filter[${field}]`);
  return Object.fromEntries(Object.entries(filters).filter(isOther)) as AlertFilters;
}
