import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Search } from '../search.ts';
import { isSameChoice, isSheetOpen, withoutSheet, withSheet } from './filter-sheet.ts';

/** The state of the sheet of filters, which is part of the URL. */
export function useFilterSheet() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOpen = isSheetOpen(search);
  /** The search when the sheet opened, and now; undefined while it is closed. */
  const visit = useRef<{ first: Search; latest: Search }>(undefined);
  useEffect(() => {
    if (isOpen) {
      visit.current = { first: visit.current?.first ?? search, latest: search };
      return;
    }
    const latest = visit.current?.latest;
    visit.current = undefined;
    // Back leads to the entry before the sheet, without the filters that were chosen in it.
    if (latest && !isSameChoice(latest, search)) void navigate({ to: '.', search: withoutSheet(latest) });
  }, [isOpen, search, navigate]);
  return {
    isOpen,
    open: () => void navigate({ to: '.', search: withSheet(search), resetScroll: false }),
    close: () => {
      // Without a change, an entry of its own would make the next Back do nothing.
      if (visit.current && isSameChoice(visit.current.first, search) && history.canGoBack()) history.back();
      else void navigate({ to: '.', search: withoutSheet(search), replace: true });
    },
  };
}
