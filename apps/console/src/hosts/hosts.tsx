import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { hostPagesQuery } from '../data/fleet-queries.ts';
import { formatCount } from '../data/format.ts';
import { type Health, workspacesQuery } from '../data/queries.ts';
import { ExportMenu } from '../parts/export-menu.tsx';
import { Facet } from '../parts/facet.tsx';
import { FilterPanel } from '../parts/filter-panel.tsx';
import { isSheetOpen } from '../parts/filter-sheet.ts';
import styles from '../parts/list-view.module.css';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { HealthMark, HEALTHS } from '../parts/marks.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { listOf, toggledList } from '../parts/value-list.ts';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { usageQuery } from '../usage/queries.ts';
import { HOST_PARAMETERS, HOST_SORTS, hostFilters, hostSortOf, withoutHostFilters } from './filters.ts';
import { HostTable } from './host-table.tsx';

/** The hosts of the scope, the worst first: what one drains, reboots and repairs. */
export function Hosts() {
  useTitle('Hosts');
  const services = useServices();
  const scope = useScope();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const query = useInfiniteQuery(hostPagesQuery(services, hostFilters(search, scope)));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const hosts = useMemo(() => data?.pages.flatMap((page) => page.hosts) ?? [], [data]);
  const isSheet = isSheetOpen(search);
  const update = useCallback(
    (change: Partial<Search>) =>
      void navigate({ to: '.', search: (current) => ({ ...current, ...change }), replace: isSheet }),
    [navigate, isSheet],
  );
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const filterCount = HOST_PARAMETERS.filter((name) => search[name]).length;
  const clear = () => update(withoutHostFilters(search));
  const noun = hosts.length === 1 ? 'host' : 'hosts';
  const countText =
    data === undefined
      ? ''
      : hasNextPage
        ? `the first ${formatCount(hosts.length)} hosts`
        : `${formatCount(hosts.length)} ${noun}`;

  return (
    <div className={styles.view} data-table>
      <header className={styles.head}>
        <h1>Hosts</h1>
        <p aria-live="polite">{countText}</p>
        <StaleNote />
        <div className={styles.tools}>
          <select
            aria-label="Order"
            value={hostSortOf(search)}
            onChange={({ target }) => update({ sort: target.value === 'worst' ? undefined : target.value })}
          >
            {HOST_SORTS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
          <ExportMenu
            path="/api/v1/hosts"
            query={hostFilters(search, scope)}
            name="hosts"
            title="All hosts that match the filters"
          />
        </div>
      </header>
      <div className={styles.body}>
        <FilterPanel count={filterCount} resultText={countText} onClear={filterCount > 0 ? clear : undefined}>
          <Facet
            title="Health"
            counts={HEALTHS.map((value) => ({ value }))}
            selected={listOf(search.health)}
            onToggle={(value) => update({ health: toggledList(search.health, value) })}
            render={(value) => <HealthMark health={value as Health} />}
          />
          <WorkspaceFacet
            selected={search.workspace_id}
            onSelect={(workspace_id) => update({ workspace_id })}
          />
          <ModelFacet selected={search.model} onSelect={(model) => update({ model })} />
        </FilterPanel>
        <section aria-label="Hosts" className={styles.list}>
          <Loaded query={query} skeleton={<Skeleton lines={12} height="2.6rem" />}>
            {() =>
              hosts.length > 0 ? (
                <HostTable hosts={hosts} onEnd={onEnd} />
              ) : filterCount > 0 ? (
                <Empty title="No host matches these filters.">
                  <button type="button" className={styles.clear} onClick={clear}>
                    Clear filters
                  </button>
                </Empty>
              ) : (
                <Empty title="No GPUs have reported yet.">
                  <p>A host appears here with the first report of one of its GPUs.</p>
                </Empty>
              )
            }
          </Loaded>
        </section>
      </div>
    </div>
  );
}

interface ChoiceProps {
  selected: string | undefined;
  onSelect: (value: string | undefined) => void;
}

/** The workspaces of the scope. The API filters hosts by one. */
function WorkspaceFacet({ selected, onSelect }: ChoiceProps) {
  const scope = useScope();
  const { data } = useQuery(workspacesQuery(useServices()));
  const listed = (data?.workspaces ?? []).filter(
    ({ customer_id }) => scope.customer_id === undefined || scope.customer_id === customer_id,
  );
  if (scope.workspace_id !== undefined || listed.length < 2) return null;
  const names = new Map(listed.map(({ id, name }) => [String(id), name]));
  return (
    <Facet
      title="Workspace"
      counts={listed.map(({ id }) => ({ value: String(id) }))}
      selected={listOf(selected)}
      onToggle={(value) => onSelect(value === selected ? undefined : value)}
      render={(value) => <bdi>{names.get(value) ?? value}</bdi>}
    />
  );
}

/** The models of the scope, with the numbers of their GPUs. */
function ModelFacet({ selected, onSelect }: ChoiceProps) {
  const { data } = useQuery(usageQuery(useServices(), { ...useScope(), group_by: 'model', sort: 'gpus' }));
  const models = (data?.groups ?? []).flatMap(({ model, gpu_count }) =>
    model ? { value: model, count: gpu_count } : [],
  );
  return (
    <Facet
      title="Model, GPUs"
      counts={models}
      selected={listOf(selected)}
      onToggle={(value) => onSelect(toggledList(selected, value))}
      render={(value) => <bdi title={value}>{value}</bdi>}
    />
  );
}
