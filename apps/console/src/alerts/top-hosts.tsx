import { useQuery } from '@tanstack/react-query';
import { type AlertGroup, topHostsQuery } from '../data/alert-groups.ts';
import type { AlertFilters } from '../data/queries.ts';
import { Facet, withBefore } from '../parts/facet.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Skeleton } from '../parts/states.tsx';
import { listOf } from '../parts/value-list.ts';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import { alertsOfHost, withExcluded, withoutValue, withText } from './filters.ts';

const SHOWN = 8;
/** Of the period before, the hosts may be others. */
const COMPARED = 200;

interface TopHostsProps {
  search: Search;
  filters: AlertFilters;
  before: AlertFilters | undefined;
  isWaiting: boolean;
  onChange: (change: (search: Search) => Search) => void;
}

/** The hosts with the most matching alerts, to select one or to exclude it. */
export function TopHosts({ search, filters, before, isWaiting, onChange }: TopHostsProps) {
  const services = useServices();
  const query = useQuery({ ...topHostsQuery(services, filters, SHOWN), enabled: !isWaiting });
  const past = useQuery({
    ...topHostsQuery(services, before ?? filters, COMPARED),
    enabled: !isWaiting && before !== undefined,
  });
  const { hostname, hostname_operator, not_hostname } = search;
  const selected = hostname && hostname_operator === 'equals' ? [hostname] : [];
  const toggle = (host: string) =>
    onChange((current) => {
      const isSelected = selected.includes(host);
      if (isSelected) return withText(current, 'hostname', '');
      return { ...withoutValue(current, 'not_hostname', host), ...alertsOfHost(host) };
    });
  return (
    <Loaded query={query} skeleton={<Skeleton lines={6} />}>
      {({ groups }) => (
        <Facet
          title="Top hosts"
          counts={withBefore(
            countsOf(groups),
            before === undefined || past.data === undefined ? undefined : countsOf(past.data.groups),
          )}
          selected={selected}
          onToggle={toggle}
          excluded={listOf(not_hostname)}
          onExclude={(host) => onChange((current) => withExcluded(current, 'hostname', host))}
          render={(host) => <bdi title={host}>{host}</bdi>}
        />
      )}
    </Loaded>
  );
}

/** Alerts without a host cannot be selected by one. */
function countsOf(groups: AlertGroup[]) {
  return groups.flatMap(({ hostname, count }) => (hostname ? [{ value: hostname, count }] : []));
}
