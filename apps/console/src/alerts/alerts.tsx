import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { StackedBars } from '../charts/stacked-bars.tsx';
import { alertTypeTitle, formatCount } from '../data/format.ts';
import { type AlertItem, type Severity, summaryQuery, trendQuery } from '../data/queries.ts';
import { Facet, listOf, toggledList } from '../parts/facet.tsx';
import { FilterDrawer } from '../parts/filter-drawer.tsx';
import { SeverityMark } from '../parts/marks.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import type { Search } from '../router.tsx';
import { useServices } from '../session/services.ts';
import { useScope } from '../shell/scope.ts';
import { AlertPanel } from './alert-panel.tsx';
import { AlertTable } from './alert-table.tsx';
import {
  alertFilters,
  DEFAULT_SORT,
  FACET_TITLES,
  FACETS,
  isFiltered,
  SORTS,
  sortOf,
  TEXTS,
  withoutFilters,
} from './filters.ts';
import { TextFilter } from './text-filter.tsx';
import { TimeRange } from './time-range.tsx';
import { useAlertPages } from './use-alert-pages.ts';
import styles from './alerts.module.css';

/** All alerts of the scope, narrowed by facets, texts and time. The URL holds the whole state. */
export function Alerts() {
  const services = useServices();
  const scope = useScope();
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const filters = useMemo(() => alertFilters(search, scope), [search, scope]);
  const sort = sortOf(search);
  const pages = useAlertPages(filters, sort);
  const summary = useQuery(summaryQuery(services, filters));

  const update = useCallback(
    (change: (search: Search) => Search, replace = false) =>
      void navigate({ to: '.', search: (current) => change(current as Search), replace }),
    [navigate],
  );
  const open = useCallback(
    (alert: AlertItem) => update((current) => ({ ...current, alert: alert.id })),
    [update],
  );
  const close = useCallback(() => update((current) => ({ ...current, alert: undefined })), [update]);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && search.alert) close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [close, search.alert]);
  const { hasMore, isLoadingMore, loadMore } = pages;
  const onMissingRows = useCallback(() => {
    if (hasMore && !isLoadingMore) void loadMore();
  }, [hasMore, isLoadingMore, loadMore]);

  return (
    <div className={styles.view}>
      <header className={styles.head}>
        <h1>Alerts</h1>
        <p aria-live="polite">{pages.total === undefined ? '' : `${formatCount(pages.total)} alerts`}</p>
        {pages.newCount > 0 ? (
          <button type="button" className={styles.fresh} onClick={pages.refresh}>
            {formatCount(pages.newCount)} new {pages.newCount === 1 ? 'alert' : 'alerts'}
          </button>
        ) : null}
        <div className={styles.tools}>
          <TimeRange search={search} onChange={(range) => update((current) => ({ ...current, ...range }))} />
          <select
            aria-label="Order"
            value={sort}
            onChange={({ target }) =>
              update((current) => ({
                ...current,
                sort: target.value === DEFAULT_SORT ? undefined : target.value,
              }))
            }
          >
            {SORTS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </div>
      </header>
      <Trend search={search} onRange={(range) => update((current) => ({ ...current, ...range }))} />
      <div className={styles.body} data-panel={Boolean(search.alert)}>
        <FilterDrawer>
          {TEXTS.map((field) => (
            <TextFilter
              key={field}
              field={field}
              value={search[field] ?? ''}
              onChange={(value) => update((current) => ({ ...current, [field]: value || undefined }), true)}
            />
          ))}
          {isFiltered(search) ? (
            <button type="button" className={styles.clear} onClick={() => update(withoutFilters)}>
              Clear filters
            </button>
          ) : null}
          {summary.error ? (
            <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
          ) : summary.data ? (
            FACETS.map((facet) => (
              <Facet
                key={facet}
                title={FACET_TITLES[facet]}
                counts={summary.data.summary[facet]}
                selected={listOf(search[facet])}
                onToggle={(value) =>
                  update((current) => ({ ...current, [facet]: toggledList(current[facet], value) }))
                }
                render={(value) =>
                  facet === 'severity' ? (
                    <SeverityMark severity={value as Severity} />
                  ) : facet === 'type' ? (
                    alertTypeTitle(value)
                  ) : (
                    value
                  )
                }
              />
            ))
          ) : (
            <Skeleton lines={12} />
          )}
        </FilterDrawer>
        <section className={styles.list} aria-label="List of alerts">
          {pages.error && pages.alerts.length === 0 ? (
            <ErrorState error={pages.error} onRetry={pages.refresh} />
          ) : pages.isLoading ? (
            <Skeleton lines={16} height="1.4rem" />
          ) : pages.total === 0 ? (
            <NoAlerts isFiltered={isFiltered(search)} onClear={() => update(withoutFilters)} />
          ) : (
            <AlertTable
              key={JSON.stringify([filters, sort])}
              alerts={pages.alerts}
              total={pages.total ?? pages.alerts.length}
              openId={search.alert}
              onMissingRows={onMissingRows}
              onOpen={open}
            />
          )}
        </section>
        {search.alert ? <AlertPanel id={search.alert} onClose={close} /> : null}
      </div>
    </div>
  );
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
      <button type="button" className={styles.clear} onClick={onClear}>
        Clear filters
      </button>
    </Empty>
  );
}

const HOUR_MS = 3_600_000;
const WIDEST_BY_HOUR_MS = 72 * HOUR_MS;

function Trend({
  search,
  onRange,
}: {
  search: Search;
  onRange: (range: { from: string; to: string }) => void;
}) {
  const services = useServices();
  const scope = useScope();
  const { data, error, refetch } = useQuery(trendQuery(services, alertFilters(search, scope)));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height="76px" />;
  const first = data.points[0];
  const fromMs = search.from
    ? Date.parse(search.from)
    : first
      ? Date.parse(first.bucket)
      : Date.now() - HOUR_MS;
  const toMs = search.to ? Date.parse(search.to) : Date.now();
  // The API chooses the same unit from the width of the window.
  const unit = toMs - fromMs <= WIDEST_BY_HOUR_MS ? 'hour' : 'day';
  return (
    <StackedBars
      points={data.points}
      unit={unit}
      fromMs={fromMs}
      toMs={toMs}
      height={56}
      title="Alerts over time; drag to select a range"
      onRange={(beginMs, endMs) =>
        onRange({ from: new Date(beginMs).toISOString(), to: new Date(endMs).toISOString() })
      }
    />
  );
}
