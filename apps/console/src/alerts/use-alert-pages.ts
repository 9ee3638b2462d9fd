import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { use, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { isOutage, OutageContext } from '../data/outage.ts';
import { ALERT_PAGES, type AlertFilters, type AlertItem, newestAlertsQuery } from '../data/queries.ts';
import { useServices } from '../session/services.ts';
import type { Sort } from './filters.ts';

/** Rows per request: several screens, and small enough to appear at once. */
const PAGE_SIZE = 150;
/** Rows per request while the rows in view are further away, as after a drag of the scrollbar. */
const LARGE_PAGE_SIZE = 2_000;
/** Rows before and after the view that stay in memory: about 5 MB, and enough for a fast scroll back. */
const KEPT_ROWS = 5_000;

interface Page {
  /** Null when the rows are far from the view. The token of the page reads them again, as of the same moment. */
  alerts: AlertItem[] | null;
  rowCount: number;
  next_page_token?: string | undefined;
  total_size: number | null;
}

type Pages = InfiniteData<Page, string>;

/** The rows that were loaded; `at` returns undefined for rows that are not in memory. */
export interface AlertRows {
  count: number;
  at(row: number): AlertItem | undefined;
  /** Returns the row of an alert, or -1. */
  indexOf(id: string | undefined): number;
}

/**
 * Pages of alerts as of one moment: while alerts arrive, the rows stay as they are and `newCount` grows. `refresh` starts
 * again from the current data.
 */
export function useAlertPages(filters: AlertFilters, sort: Sort) {
  const services = useServices();
  const queryClient = useQueryClient();
  const pageSize = useRef(PAGE_SIZE);
  const queryKey = useMemo(() => [ALERT_PAGES, filters, sort], [filters, sort]);
  const readPage = async (token: string, size: number, signal?: AbortSignal): Promise<Page> => {
    const page = token === '' ? { page_size: PAGE_SIZE } : { page_size: size, page_token: token };
    const { alerts, next_page_token, total_size } = await services.fleet.get('/api/v1/alerts', {
      params: { query: { ...filters, sort, ...page } },
      ...(signal ? { signal } : {}),
    });
    return { alerts, rowCount: alerts.length, next_page_token, total_size };
  };
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(pageParam, pageSize.current, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_page_token }) => next_page_token,
    staleTime: Infinity,
    // Pages of a snapshot do not change: comparing all of them with every further page would take longer each time.
    structuralSharing: false,
    // A page token is valid for 24 hours, so a kept list can be continued.
    gcTime: 5 * 60_000,
  });
  const live = useQuery({ ...newestAlertsQuery(services, filters, 1), enabled: !pages.isPending });
  const total = pages.data?.pages[0]?.total_size ?? undefined;
  const liveTotal = live.isPlaceholderData ? undefined : (live.data?.total_size ?? undefined);
  const rows = useMemo(() => rowsOf(pages.data?.pages ?? []), [pages.data]);

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = pages;
  const { attempts } = use(OutageContext);
  const repeatFailedPage = useEffectEvent(() => {
    if (isFetchNextPageError) void fetchNextPage();
  });
  useEffect(() => repeatFailedPage(), [attempts]);
  const restoring = useRef(new Set<string>());
  const [rejectedKey, setRejectedKey] = useState<unknown>();
  /** Reads the rows of a page again. */
  const restore = async (token: string, { rowCount }: Page) => {
    if (restoring.current.has(token)) return;
    restoring.current.add(token);
    try {
      const { alerts } = await readPage(token, rowCount);
      queryClient.setQueryData<Pages>(queryKey, (data) =>
        mapPages(data, (page, pageToken) => (pageToken === token ? { ...page, alerts } : page)),
      );
    } catch (error) {
      // During an outage the rows stay pending until the next change of the view.
      if (!isOutage(error as Error)) setRejectedKey(queryKey);
    } finally {
      restoring.current.delete(token);
    }
  };
  /** Loads the rows of the view and the next ones, and drops rows far from it. */
  const showRows = (first: number, last: number) => {
    if (isFetchingNextPage) return;
    // A failed page is requested again with the next attempt, not with every scroll event.
    if (last >= rows.count && hasNextPage && !isFetchNextPageError) {
      pageSize.current = last - rows.count > PAGE_SIZE ? LARGE_PAGE_SIZE : PAGE_SIZE;
      void fetchNextPage();
      return;
    }
    const data = queryClient.getQueryData<Pages>(queryKey);
    const kept = mapPages(data, (page, token, start) => {
      const end = start + page.rowCount;
      if (page.alerts === null && start <= last && end > first) void restore(token, page);
      // The first page has no token: a request for it would read the current alerts.
      const isFar = token !== '' && (end < first - KEPT_ROWS || start > last + KEPT_ROWS);
      return isFar && page.alerts !== null ? { ...page, alerts: null } : page;
    });
    if (kept !== data) queryClient.setQueryData<Pages>(queryKey, kept);
  };
  const refresh = useCallback(() => {
    // A refetch repeats every loaded page, so only the first one is kept.
    queryClient.setQueryData<Pages>(
      queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    setRejectedKey(undefined);
    void refetch();
  }, [queryClient, queryKey, refetch]);

  return {
    rows,
    total,
    newCount: total === undefined || liveTotal === undefined ? 0 : Math.max(0, liveTotal - total),
    query: pages,
    /** Whether the service rejects requests for further rows, such as those of a snapshot of yesterday. */
    isRejected: (isFetchNextPageError && !isOutage(pages.error)) || rejectedKey === queryKey,
    showRows,
    refresh,
  };
}

/** Returns the same data if `change` changes no page. */
function mapPages(
  data: Pages | undefined,
  change: (page: Page, token: string, start: number) => Page,
): Pages | undefined {
  if (data === undefined) return undefined;
  let start = 0;
  const pages = data.pages.map((page, index) => {
    const changed = change(page, data.pageParams[index] as string, start);
    start += page.rowCount;
    return changed;
  });
  return pages.every((page, index) => page === data.pages[index]) ? data : { ...data, pages };
}

function rowsOf(pages: readonly Page[]): AlertRows {
  const starts: number[] = [];
  let count = 0;
  for (const { rowCount } of pages) {
    starts.push(count);
    count += rowCount;
  }
  return {
    count,
    at: (row) => {
      const index = starts.findLastIndex((start) => start <= row);
      return pages[index]?.alerts?.[row - (starts[index] ?? 0)];
    },
    indexOf: (id) => {
      const index = pages.findIndex(({ alerts }) => alerts?.some((alert) => alert.id === id));
      return index < 0
        ? -1
        : (starts[index] ?? 0) + (pages[index]?.alerts?.findIndex((alert) => alert.id === id) ?? 0);
    },
  };
}
