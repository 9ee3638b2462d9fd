import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type AlertFilters, newestAlertsQuery } from '../data/queries.ts';
import { useServices } from '../session/services.ts';
import type { Sort } from './filters.ts';

/** Rows per request: several screens, and small enough to appear at once. */
const PAGE_SIZE = 300;

/**
 * Pages of alerts as of one moment: while alerts arrive, the rows stay as they are and `newCount` grows. `refresh` starts
 * again from the current data.
 */
export function useAlertPages(filters: AlertFilters, sort: Sort) {
  const services = useServices();
  const pages = useInfiniteQuery({
    queryKey: ['alert-pages', filters, sort],
    queryFn: ({ pageParam, signal }) => {
      const token = pageParam === '' ? {} : { page_token: pageParam };
      const query = { ...filters, sort, page_size: PAGE_SIZE, ...token };
      return services.fleet.get('/api/v1/alerts', { params: { query }, signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next_page_token }) => next_page_token,
    staleTime: Infinity,
    // A page token is valid for 24 hours, so a kept list can be continued.
    gcTime: 5 * 60_000,
  });
  const live = useQuery(newestAlertsQuery(services, filters, 1));
  const total = pages.data?.pages[0]?.total_size ?? undefined;
  const liveTotal = live.isPlaceholderData ? undefined : (live.data?.total_size ?? undefined);
  const alerts = useMemo(() => pages.data?.pages.flatMap((page) => page.alerts) ?? [], [pages.data]);
  return {
    alerts,
    total,
    newCount: total === undefined || liveTotal === undefined ? 0 : Math.max(0, liveTotal - total),
    error: pages.error,
    isLoading: pages.isPending,
    hasMore: pages.hasNextPage,
    isLoadingMore: pages.isFetchingNextPage,
    loadMore: pages.fetchNextPage,
    refresh: () => void pages.refetch(),
  };
}
