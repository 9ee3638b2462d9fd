import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOutage } from '../data/outage.ts';
import {
  ALERT_PAGES,
  alertListPath,
  type AlertItem,
  newestAlertsQuery,
  type Scope,
  type TimeWindow,
} from '../data/queries.ts';
import { resolveWindow } from '../data/window.ts';
import type { Search } from '../search.ts';
import { useServices } from '../session/services.ts';
import { alertFilters, sortOf } from './filters.ts';

/** Rows per request: several screens, and small enough to appear at once. */
const PAGE_SIZE = 150;
/** Rows per request while the rows in view are further away, as after a drag of the scrollbar. */
const LARGE_PAGE_SIZE = 2_000;
/** Rows before and after the view that stay in memory for a scroll back: about 2 MB. */
const KEPT_ROWS = 2_000;
/** The view moves in steps of this number of rows, so that not every scroll event renders. */
const VIEW_STEP = 50;

/** A page after the first one. Its token returns the same rows each time, as of the time of the first page. */
interface Page {
  token: string;
  start: number;
  rowCount: number;
}

/** The first page of a list, and where the further pages are that were loaded since. */
interface Snapshot {
  /** The window at the time of the request: a relative one moves on. */
  window: TimeWindow;
  alerts: AlertItem[];
  total: number | null;
  pages: Page[];
  /** Number of rows on all of these pages. */
  rowCount: number;
  nextToken: string | undefined;
}

/** The rows of a list. Those far from the view are not in memory. */
export interface AlertRows {
  /** Number of rows that were loaded. */
  count: number;
  /** Returns undefined for a row that is not in memory. */
  at(row: number): AlertItem | undefined;
  /** Returns the row of an alert in memory, or -1. */
  indexOf(id: string): number;
}

/** First and last row that must be loaded. */
interface View {
  first: number;
  last: number;
}

const TOP: View = { first: 0, last: 0 };

/**
 * Alerts as of one moment: while alerts arrive, the rows stay as they are and `newCount` grows. `refresh` starts again
 * from the current data.
 */
export function useAlertPages(search: Search, scope: Scope) {
  const services = useServices();
  const queryClient = useQueryClient();
  const sort = sortOf(search);
  const queryKey = [ALERT_PAGES, search, scope];
  const list = JSON.stringify(queryKey);
  const [shown, setShown] = useState({ list, view: TOP });
  const view = shown.list === list ? shown.view : TOP;
  const read = (
    window: TimeWindow,
    page: { page_size: number; page_token?: string },
    signal: AbortSignal,
  ) => {
    const filters = alertFilters(search, scope, window);
    return services.fleet.get(alertListPath(filters), {
      params: { query: { ...filters, sort, ...page } },
      signal,
      // The cache of the client would keep rows that are far from the view.
      conditional: false,
    });
  };

  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Snapshot> => {
      const window = resolveWindow(search, Date.now());
      const { alerts, total_size, next_page_token } = await read(window, { page_size: PAGE_SIZE }, signal);
      return {
        window,
        alerts,
        total: total_size,
        pages: [],
        rowCount: alerts.length,
        nextToken: next_page_token,
      };
    },
    staleTime: Infinity,
    // A page token is valid for 24 hours, so a kept list can be continued.
    gcTime: 5 * 60_000,
  });
  const snapshot = query.data;
  const pages = snapshot ? pagesNear(snapshot, view) : [];
  const further = useQueries({
    queries: pages.map(({ token, start, rowCount }) => ({
      queryKey: [...queryKey, token],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<AlertItem[]> => {
        const page = await read(snapshot?.window ?? {}, { page_size: rowCount, page_token: token }, signal);
        queryClient.setQueryData<Snapshot>(queryKey, (known) =>
          known?.nextToken === token ? withPage(known, page.alerts.length, page.next_page_token) : known,
        );
        return page.alerts;
      },
      // A disabled query keeps the rows in memory; those of a page without a query are dropped.
      enabled: token === snapshot?.nextToken || (start <= view.last && start + rowCount > view.first),
      staleTime: Infinity,
      gcTime: 0,
      // The rows of a page do not change, so comparing them would be in vain.
      structuralSharing: false,
    })),
  });
  const live = useQuery({
    ...newestAlertsQuery(services, alertFilters(search, scope, snapshot?.window), 1),
    enabled: snapshot !== undefined,
  });
  const rowCount = snapshot?.rowCount ?? 0;
  const hasMore = snapshot?.nextToken !== undefined;
  // The service omits totals that take long to count.
  const total = snapshot?.total ?? (snapshot === undefined || hasMore ? undefined : rowCount);
  const liveTotal = live.isPlaceholderData ? undefined : (live.data?.total_size ?? undefined);

  return {
    query,
    rows: rowsOf(rowCount, [
      { start: 0, alerts: snapshot?.alerts ?? [] },
      ...pages.map(({ start }, n) => ({ start, alerts: further[n]?.data ?? [] })),
    ]),
    total,
    /** Rows of the table. Without a total there is room for the next page, which loads when the view reaches it. */
    tableRows: total ?? rowCount + PAGE_SIZE,
    newCount: total === undefined || liveTotal === undefined ? 0 : Math.max(0, liveTotal - total),
    /** The window of the rows; a relative one was resolved when they were requested. */
    window: snapshot?.window,
    /** Whether the service rejects requests for further rows, such as those of a snapshot of yesterday. */
    isRejected: further.some(({ error }) => error !== null && !isOutage(error)),
    /** Loads the rows that are in view or near it. */
    showRows: (firstRow: number, lastRow: number) => {
      const first = Math.floor(firstRow / VIEW_STEP) * VIEW_STEP;
      const last = Math.ceil((lastRow + 1) / VIEW_STEP) * VIEW_STEP - 1;
      if (first !== view.first || last !== view.last) setShown({ list, view: { first, last } });
    },
    refresh: () => {
      setShown({ list, view: TOP });
      void query.refetch();
    },
  };
}

/** Returns the pages around the view, and the next page if the view ends after the last known one. */
function pagesNear({ pages, rowCount, nextToken }: Snapshot, { first, last }: View): Page[] {
  const near = pages.filter(
    (page) => page.start + page.rowCount > first - KEPT_ROWS && page.start < last + KEPT_ROWS,
  );
  if (nextToken === undefined || last < rowCount) return near;
  const size = last - rowCount > PAGE_SIZE ? LARGE_PAGE_SIZE : PAGE_SIZE;
  return [...near, { token: nextToken, start: rowCount, rowCount: size }];
}

function withPage(snapshot: Snapshot, rowCount: number, nextToken: string | undefined): Snapshot {
  const page = { token: snapshot.nextToken ?? '', start: snapshot.rowCount, rowCount };
  return { ...snapshot, pages: [...snapshot.pages, page], rowCount: page.start + rowCount, nextToken };
}

function rowsOf(count: number, parts: { start: number; alerts: AlertItem[] }[]): AlertRows {
  return {
    count,
    at: (row) => {
      const part = parts.find(({ start, alerts }) => row >= start && row < start + alerts.length);
      return part?.alerts[row - part.start];
    },
    indexOf: (id) => {
      for (const { start, alerts } of parts) {
        const index = alerts.findIndex((alert) => alert.id === id);
        if (index >= 0) return start + index;
      }
      return -1;
    },
  };
}
