import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { use, useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { isOutage, OutageContext } from '../data/outage.ts';
import { ALERT_PAGES, type AlertFilters, type AlertItem, newestAlertsQuery } from '../data/queries.ts';
import { useServices } from '../session/services.ts';
import type { Sort } from './filters.ts';

/** Rows per request: several screens, and small enough to appear at once. */
const PAGE_SIZE = 150;
/** Rows per request while the rows in view are further away, as after a drag of the scrollbar. */
const LARGE_PAGE_SIZE = 2_000;

interface Page {
  alerts: AlertItem[];
  next_page_token?: string;
  total_size: number | null;
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
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const page =
        pageParam === '' ? { page_size: PAGE_SIZE } : { page_size: pageSize.current, page_token: pageParam };
      return services.fleet.get('/api/v1/alerts', {
        params: { query: { ...filters, sort, ...page } },
        signal,
      });
    },
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
  const alerts = useMemo(() => pages.data?.pages.flatMap((page) => page.alerts) ?? [], [pages.data]);

  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = pages;
  const { attempts } = use(OutageContext);
  const repeatFailedPage = useEffectEvent(() => {
    if (isFetchNextPageError) void fetchNextPage();
  });
  useEffect(() => repeatFailedPage(), [attempts]);
  /** Loads on until the given row; the caller repeats the call while the row is missing. */
  const loadUntil = useCallback(
    (row: number) => {
      // A failed page is requested again with the next attempt, not with every scroll event.
      if (!hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
      pageSize.current = row - alerts.length > PAGE_SIZE ? LARGE_PAGE_SIZE : PAGE_SIZE;
      void fetchNextPage();
    },
    [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, alerts.length],
  );
  const refresh = useCallback(() => {
    // A refetch repeats every loaded page, so only the first one is kept.
    queryClient.setQueryData<InfiniteData<Page, string>>(
      queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    );
    void refetch();
  }, [queryClient, queryKey, refetch]);

  return {
    alerts,
    total,
    newCount: total === undefined || liveTotal === undefined ? 0 : Math.max(0, liveTotal - total),
    query: pages,
    /** Whether the service rejects requests for further rows, such as those of a snapshot of yesterday. */
    isRejected: isFetchNextPageError && !isOutage(pages.error),
    loadUntil,
    refresh,
  };
}
