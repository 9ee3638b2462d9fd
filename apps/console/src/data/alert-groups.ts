import type { AlertQuery, fleetTypes } from '@gpu-observatory/client';
import { queryOptions } from '@tanstack/react-query';
import type { Services } from '../session/services.ts';
import { HOUR_MS } from './durations.ts';
import { LIVE, previousOf } from './live.ts';
import { SEVERITIES } from './severities.ts';

type Schemas = fleetTypes.components['schemas'];
type TrendPoint = Schemas['SeverityTrendPoint'];
/** Filters of a list of alerts, with those of a search: a text in title, description or host, and lists of excluded values. */
export type AlertFilters = Omit<AlertQuery, 'page_size' | 'sort'> &
  Pick<SearchQuery, 'q' | 'filter[hostname][notIn]' | 'filter[title][notIn]'>;
type SearchQuery = NonNullable<fleetTypes.operations['searchAlerts']['parameters']['query']>;

/** Counts of the facets of alerts. */
export interface AlertSummary {
  summary: Record<'severity' | 'type' | 'state', { value: string; count: number }[]>;
}

export type AlertGroup = Schemas['AlertGroupModel'];
export type AlertGrouping = NonNullable<
  NonNullable<fleetTypes.operations['groupAlerts']['parameters']['query']>['group_by']
>;

type Fleet = Services['fleet'];
/** Days or hours of a trend: the most groups that a response has. */
const MAX_BARS = 1_000;
/** The widest window that `alerts:severityTrend` counts by hour. */
const WIDEST_BY_HOUR_MS = 72 * HOUR_MS;

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

/** Whether only the endpoints of searches accept the filters. */
export function isSearch(filters: AlertFilters): boolean {
  return ['q', 'filter[hostname][notIn]', 'filter[title][notIn]'].some((name) => name in filters);
}

/** The counts of the facets for a search, which the summary does not accept. */
export async function searchSummary(
  fleet: Fleet,
  filters: AlertFilters,
  signal: AbortSignal,
): Promise<AlertSummary> {
  const countsOf = async (group_by: 'severity' | 'type' | 'state') => {
    const { groups } = await groupsOf(fleet, { ...withoutField(filters, group_by), group_by }, signal);
    return groups.map((group) => ({ value: group[group_by] ?? '', count: group.count }));
  };
  const [severity, type, state] = await Promise.all([
    countsOf('severity'),
    countsOf('type'),
    countsOf('state'),
  ]);
  const rankOf = ({ value }: { value: string }) => SEVERITIES.findIndex((each) => each === value);
  return { summary: { severity: severity.sort((a, b) => rankOf(a) - rankOf(b)), type, state } };
}

/** Returns the length of the bars of a trend, as the API chooses it. */
export function trendUnit(fromMs: number, toMs: number): 'hour' | 'day' {
  return toMs - fromMs <= WIDEST_BY_HOUR_MS ? 'hour' : 'day';
}

/** The trend for a search. */
export async function searchTrend(fleet: Fleet, filters: AlertFilters, signal: AbortSignal) {
  const { from, to } = filters;
  const unit = from === undefined ? 'day' : trendUnit(Date.parse(from), to ? Date.parse(to) : Date.now());
  const { groups } = await groupsOf(fleet, { ...filters, group_by: unit, page_size: MAX_BARS }, signal);
  const points = groups.toReversed().flatMap(({ day, hour, by_severity }) =>
    Object.entries(by_severity).map(([severity, count]): TrendPoint => ({
      bucket: hour ?? `${day}T00:00:00Z`,
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
function withoutField(
  filters: AlertFilters,
  field: 'severity' | 'type' | 'state' | 'hostname',
): AlertFilters {
  const isOther = ([name]: [string, unknown]) => !name.startsWith(`filter[${field}]`);
  return Object.fromEntries(Object.entries(filters).filter(isOther)) as AlertFilters;
}
