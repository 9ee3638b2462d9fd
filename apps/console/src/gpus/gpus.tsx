import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { HOUR_MS } from '../data/durations.ts';
import { unhealthyQuery } from '../data/fleet-queries.ts';
import { formatCount } from '../data/format.ts';
import { gpusQuery, type Health, workspacesQuery } from '../data/queries.ts';
import { relativeWindowOf, resolveWindow, windowName } from '../data/window.ts';
import { ExportMenu } from '../parts/export-menu.tsx';
import { Facet } from '../parts/facet.tsx';
import { FilterPanel } from '../parts/filter-panel.tsx';
import { isSheetOpen } from '../parts/filter-sheet.ts';
import styles from '../parts/list-view.module.css';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { HealthMark } from '../parts/marks.tsx';
import { Segmented } from '../parts/segmented.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { Operator, TextFilter } from '../parts/text-filter.tsx';
import { operatorOf, operatorParameter } from '../parts/text-operator.ts';
import { useNow } from '../parts/time.tsx';
import { TimeRange } from '../parts/time-range.tsx';
import { listOf, toggledList } from '../parts/value-list.ts';
import type { Search } from '../search.ts';
import { useTitle } from '../parts/use-title.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { type Coloring, COLORINGS } from './draw-host-grid.ts';
import { facetCounts } from './facet-counts.ts';
import { filterGpus, GPU_FACETS, withoutGpuFilters } from './fleet-filters.ts';
import { GPU_SORT_TITLES, type GpuSort, sortGpus, sortOf } from './gpu-sorts.ts';
import { GridLegend } from './grid-legend.tsx';
import { GpuTable } from './gpu-table.tsx';
import { HostGrid } from './host-grid.tsx';

const TEXT_LABEL = 'Host, ID or serial';

const GPU_VIEWS = [
  ['grid', 'Grid'],
  ['table', 'Table'],
] as const;

const DEFAULT_WINDOW = '24h';
const PRESETS = ['1h', DEFAULT_WINDOW, '7d', '30d'];
/** The service widens windows of GPUs to whole half hours. */
const HALF_HOUR_MS = HOUR_MS / 2;

/** The GPUs of the scope, as a grid by host or a table. The API has no filters for GPUs, so this view filters. */
export function Gpus() {
  useTitle('GPUs');
  const services = useServices();
  const scope = useScope();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  // Without a window, the service has that of 24 hours.
  const window = resolveWindow(search, useNow(), HALF_HOUR_MS);
  const query = useQuery(gpusQuery(services, scope, window));
  const { data } = query;
  const { data: listed } = useQuery(workspacesQuery(services));
  const workspaces = useMemo(() => new Map(listed?.workspaces.map(({ id, name }) => [id, name])), [listed]);
  const isSheet = isSheetOpen(search);
  const update = useCallback(
    (change: Partial<Search>, replace = isSheet) =>
      void navigate({ to: '.', search: (current) => ({ ...current, ...change }), replace }),
    [navigate, isSheet],
  );
  const gpus = useMemo(
    () => (data ? sortGpus(filterGpus(data.gpus, search, workspaces), sortOf(search)) : []),
    [data, search, workspaces],
  );
  const facets = useMemo(
    () => (data ? GPU_FACETS.map((facet) => facetCounts(data.gpus, search, workspaces, facet)) : []),
    [data, search, workspaces],
  );
  const isTable = search.view === 'table';
  // The list of GPUs has no reasons. One request has those of all that are not healthy.
  const { data: unhealthy } = useQuery({ ...unhealthyQuery(services, scope), enabled: isTable });
  const statuses = useMemo(() => new Map(unhealthy?.map((status) => [status.gpu_id, status])), [unhealthy]);
  const coloring =
    search.color !== undefined && search.color in COLORINGS ? (search.color as Coloring) : 'health';
  const filterCount = GPU_FACETS.filter(([name]) => search[name]).length + (search.q ? 1 : 0);
  const isFiltered = filterCount > 0;
  const clear = () => update(withoutGpuFilters(search));
  const sort = sortOf(search);
  const onSort = (column: GpuSort) => update({ sort: sort === column ? `-${column}` : column });

  return (
    <div className={styles.view} data-table={isTable}>
      <header className={styles.head}>
        <h1>GPUs</h1>
        <p aria-live="polite">
          {data === undefined
            ? ''
            : isFiltered
              ? `${formatCount(gpus.length)} of ${formatCount(data.gpus.length)} GPUs`
              : `${formatCount(gpus.length)} GPUs`}
        </p>
        <p role="status">
          {query.isPlaceholderData ? 'Loading…' : `Means and XID errors of ${windowText(search)}.`}
        </p>
        <StaleNote />
        <div className={styles.tools}>
          <TimeRange search={search} presets={PRESETS} initial={DEFAULT_WINDOW} onChange={update} />
          {isTable ? (
            // On a phone, the table has no column titles to sort by.
            <select aria-label="Order" value={sort} onChange={({ target }) => update({ sort: target.value })}>
              {GPU_SORT_TITLES.map(([value, title]) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          ) : (
            <select
              aria-label="Color by"
              value={coloring}
              onChange={({ target }) =>
                update({ color: target.value === 'health' ? undefined : target.value })
              }
            >
              {Object.entries(COLORINGS).map(([value, title]) => (
                <option key={value} value={value}>
                  Color by {title.toLowerCase()}
                </option>
              ))}
            </select>
          )}
          <ExportMenu
            path="/api/v1/gpu-status"
            query={{ ...scope, sort: 'name' }}
            name="gpus"
            label="Inventory"
            title="All GPUs of the scope with serial number, PCIe address, health, reason and action"
          />
          <Segmented
            label="View"
            options={GPU_VIEWS}
            selected={isTable ? 'table' : 'grid'}
            onSelect={(view) => update({ view: view === 'grid' ? undefined : view })}
          />
        </div>
      </header>
      <div className={styles.body}>
        <FilterPanel
          count={filterCount}
          resultText={data ? `${formatCount(gpus.length)} ${gpus.length === 1 ? 'GPU' : 'GPUs'}` : ''}
          onClear={isFiltered ? clear : undefined}
        >
          <TextFilter
            label={TEXT_LABEL}
            value={search.q ?? ''}
            isSearch
            // Without a text, the next one is contained again.
            onChange={(text) => update(text ? { q: text } : { q: undefined, q_operator: undefined }, true)}
          >
            <Operator
              label={TEXT_LABEL}
              operator={operatorOf(search.q_operator)}
              onChange={(operator) => update({ q_operator: operatorParameter(operator) }, true)}
            />
          </TextFilter>
          {data ? (
            GPU_FACETS.map((facet, n) => (
              <Facet
                key={facet[0]}
                title={facet[1]}
                counts={facets[n] ?? []}
                selected={listOf(search[facet[0]])}
                onToggle={(value) => update({ [facet[0]]: toggledList(search[facet[0]], value) })}
                render={(value) =>
                  facet[0] === 'health' ? <HealthMark health={value as Health} /> : <bdi>{value}</bdi>
                }
              />
            ))
          ) : query.error ? null : (
            <Skeleton lines={12} />
          )}
        </FilterPanel>
        <section aria-label="GPUs" className={styles.list}>
          <Loaded query={query} skeleton={<Skeleton lines={12} height="2.4rem" />}>
            {(all) =>
              all.gpus.length === 0 ? (
                <Empty title="No GPUs have reported yet.">
                  <p>Import a dcgm-exporter scrape or point the collector at your nodes.</p>
                </Empty>
              ) : gpus.length === 0 ? (
                <Empty title="No GPU matches these filters.">
                  <button type="button" className={styles.clear} onClick={clear}>
                    Clear filters
                  </button>
                </Empty>
              ) : isTable ? (
                <GpuTable gpus={gpus} statuses={statuses} sort={sort} onSort={onSort} />
              ) : (
                <>
                  <GridLegend coloring={coloring} />
                  <HostGrid gpus={gpus} coloring={coloring} />
                </>
              )
            }
          </Loaded>
        </section>
      </div>
    </div>
  );
}

function windowText(search: Search): string {
  const relative = relativeWindowOf(search);
  if (relative === undefined && (search.from || search.to)) return 'the chosen time';
  return windowName(relative ?? DEFAULT_WINDOW);
}
