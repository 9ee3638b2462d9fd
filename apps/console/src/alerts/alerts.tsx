import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { formatCount } from '../data/format.ts';
import { alertListPath, workspacesQuery } from '../data/queries.ts';
import { previousWindow, resolveWindow, windowMsOf, windowName, withWindow } from '../data/window.ts';
import { CompareToggle, isCompared } from '../parts/compare.tsx';
import { isSheetOpen } from '../parts/filter-sheet.ts';
import { ExportMenu } from '../parts/export-menu.tsx';
import list from '../parts/list-view.module.css';
import { Loaded, StaleNote } from '../parts/loaded.tsx';
import { Empty, Skeleton } from '../parts/states.tsx';
import { useNow } from '../parts/time.tsx';
import { TimeRange } from '../parts/time-range.tsx';
import { useTitle } from '../parts/use-title.ts';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { isDialogOpen } from '../shell/use-shortcuts.ts';
import type { CellActions } from './alert-cells.tsx';
import { AlertFilters } from './alert-filters.tsx';
import { AlertGroups } from './alert-groups.tsx';
import { neighborsOf } from './alert-neighbors.tsx';
import { AlertPanel } from './alert-panel.tsx';
import { AlertTable } from './alert-table.tsx';
import { AlertTrend } from './alert-trend.tsx';
import { columnsOf } from './columns.ts';
import {
  alertFilters,
  DEFAULT_SORT,
  isFiltered,
  selectionOf,
  type Sort,
  SORTS,
  sortOf,
  withExcluded,
  withoutFilters,
} from './filters.ts';
import { groupingOf } from './groupings.ts';
import { ListBar } from './list-bar.tsx';
import { useAlertPages } from './use-alert-pages.ts';
import { useSelection } from './use-selection.ts';
import styles from './alerts.module.css';

/** All alerts of the scope, narrowed by facets, texts and time. The URL holds the whole state. */
export function Alerts() {
  useTitle('Alerts');
  const scope = useScope();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const openId = search.alert;
  // The open alert, for example, is part of the URL, but not of the query.
  const filterKey = JSON.stringify(selectionOf(search));
  const selection = useMemo(() => JSON.parse(filterKey) as Search, [filterKey]);
  const sort = sortOf(search);
  const pages = useAlertPages(selection, scope);
  // Counts and trend move with a relative window; the rows stay.
  const nowMs = useNow();
  const window = resolveWindow(selection, nowMs);
  const previous = previousWindow(window, nowMs);
  const filters = alertFilters(selection, scope, window);
  const before = previous && isCompared(search) ? alertFilters(selection, scope, previous) : undefined;
  const [refreshes, setRefreshes] = useState(0);
  const [focusRequests, setFocusRequests] = useState(0);
  // The rows come first: all requests of a filter at once would delay each other.
  const isWaiting = pages.query.isPending;
  const hasError = pages.query.errorUpdateCount > 0 && pages.query.data === undefined;

  const isSheet = isSheetOpen(search);
  const update = useCallback(
    (change: (search: Search) => Search, replace = isSheet) =>
      void navigate({ to: '.', search: (current) => change(current as Search), replace }),
    [navigate, isSheet],
  );
  const showAlert = useCallback(
    (alert: string | undefined, replace: boolean) =>
      // The list stays where it is.
      void navigate({ to: '.', search: (current) => ({ ...current, alert }), replace, resetScroll: false }),
    [navigate],
  );
  const open = useCallback<CellActions['onOpen']>(
    ({ id }, isFocused) => {
      setFocusRequests((requests) => (isFocused ? requests + 1 : 0));
      // Moving through alerts with the panel open leaves one entry in the history.
      showAlert(id, openId !== undefined);
    },
    [showAlert, openId],
  );
  const workspaces = useWorkspaceNames();
  const actions = useMemo<CellActions>(
    () => ({
      workspaces,
      onOpen: open,
      onExclude: (field, value) => update((current) => withExcluded(current, field, value)),
    }),
    [workspaces, open, update],
  );
  const { selected, toggle, clear } = useSelection(pages.rows);
  const columnKey = search.columns;
  const columns = useMemo(() => columnsOf({ columns: columnKey }), [columnKey]);
  const grouping = groupingOf(search);
  const close = useCallback(() => {
    setFocusRequests(0);
    focusOpenRow();
    showAlert(undefined, false);
  }, [showAlert]);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && openId && !isDialogOpen()) close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [close, openId]);
  const order = (next: Sort) =>
    update((current) => ({ ...current, sort: next === DEFAULT_SORT ? undefined : next }));
  const noAlerts = () => <NoAlerts isFiltered={isFiltered(search)} onClear={() => update(withoutFilters)} />;
  const showNew = () => {
    pages.refresh();
    // A new table starts at the top.
    setRefreshes(refreshes + 1);
  };

  return (
    <div className={`${list.view} ${styles.view}`} data-table>
      <header className={list.head}>
        <h1>Alerts</h1>
        <p aria-live="polite">{countText(pages.total, pages.rows.count)}</p>
        <StaleNote />
        {pages.isRejected ? (
          <p role="alert">
            Further rows cannot be loaded.{' '}
            <button type="button" onClick={showNew}>
              Reload
            </button>
          </p>
        ) : null}
        {pages.newCount > 0 ? (
          <button type="button" className={styles.fresh} onClick={showNew}>
            {formatCount(pages.newCount)} new {pages.newCount === 1 ? 'alert' : 'alerts'}
          </button>
        ) : isOutdated(search.window, pages.window?.from, window.from) ? (
          <button type="button" onClick={showNew}>
            Update the last {windowName(search.window ?? '')}
          </button>
        ) : null}
        <div className={list.tools}>
          <TimeRange
            search={search}
            onChange={(choice) => update((current) => withWindow(current, choice))}
          />
          <CompareToggle
            search={search}
            isAvailable={previous !== undefined}
            onChange={(change) => update((current) => ({ ...current, ...change }))}
          />
          <select aria-label="Order" value={sort} onChange={({ target }) => order(target.value as Sort)}>
            {SORTS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
          <ExportMenu
            path={alertListPath(filters)}
            query={{ ...filters, sort }}
            name="alerts"
            title="All alerts that match the filters"
          />
        </div>
      </header>
      <AlertTrend
        filters={filters}
        before={before}
        isWaiting={isWaiting}
        hasError={hasError}
        onRange={(range) => update((current) => withWindow(current, range))}
      />
      <div className={`${list.body} ${styles.body}`} data-panel={Boolean(openId)}>
        <AlertFilters
          search={search}
          filters={filters}
          before={before}
          resultText={countText(pages.total, pages.rows.count, 'more than')}
          isWaiting={isWaiting}
          hasError={hasError}
          onChange={update}
        />
        <section className={`${list.list} ${styles.list}`} aria-label="List of alerts">
          <ListBar search={search} selected={selected} onClear={clear} onChange={update} />
          {grouping === undefined ? (
            <Loaded query={pages.query} skeleton={<Skeleton lines={16} height="1.4rem" />}>
              {() =>
                pages.total === 0 ? (
                  noAlerts()
                ) : (
                  <AlertTable
                    key={JSON.stringify([filterKey, refreshes])}
                    loaded={pages.rows}
                    total={pages.tableRows}
                    sort={sort}
                    columns={columns}
                    actions={actions}
                    selected={selected}
                    onSelect={toggle}
                    openId={openId}
                    onRows={pages.showRows}
                    onSort={order}
                  />
                )
              }
            </Loaded>
          ) : (
            <AlertGroups filters={filters} grouping={grouping} onNone={noAlerts} />
          )}
        </section>
        {openId ? (
          <AlertPanel
            id={openId}
            focusRequests={focusRequests}
            neighbors={grouping === undefined ? neighborsOf(pages.rows, pages.total, openId) : undefined}
            onClose={close}
          />
        ) : null}
      </div>
    </div>
  );
}

/** Returns the names of the workspaces, the same map for as long as they stay the same. */
function useWorkspaceNames(): ReadonlyMap<number, string> {
  const { data } = useQuery(workspacesQuery(useServices()));
  return useMemo(() => new Map(data?.workspaces.map(({ id, name }) => [id, name])), [data]);
}

/** Whether the rows are those of a relative window that has moved on by a tenth since. */
function isOutdated(window: string | undefined, from: string | undefined, nowFrom: string | undefined) {
  const lengthMs = windowMsOf(window);
  if (lengthMs === undefined || from === undefined || nowFrom === undefined) return false;
  return Date.parse(nowFrom) - Date.parse(from) > lengthMs / 10;
}

/** Returns the focus from the panel to the link of its alert, unless that row has been scrolled away. */
function focusOpenRow(): void {
  document.querySelector<HTMLElement>('[role=row][data-open=true] a')?.focus({ preventScroll: true });
}

function countText(total: number | undefined, loaded: number, moreThan = 'More than'): string {
  if (total !== undefined) return `${formatCount(total)} ${total === 1 ? 'alert' : 'alerts'}`;
  return loaded === 0 ? '' : `${moreThan} ${formatCount(loaded)} alerts`;
}

function NoAlerts({ isFiltered: filtered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!filtered) {
    return (
      <Empty title="No alerts yet.">
        <p>Alerts appear here when the importer receives XID events, Falco events or records in NDJSON.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No alert matches these filters.">
      <button type="button" className={list.clear} onClick={onClear}>
        Clear filters
      </button>
    </Empty>
  );
}
