import type { Search } from '../search.ts';

/**
 * On a phone, the filters are a sheet over the whole screen. An entry of the history with `filters=open` is the open
 * sheet, so that Back closes it. Filters chosen in the sheet replace that entry.
 */
export function isSheetOpen(search: Search): boolean {
  return search.filters === 'open';
}

export function withSheet(search: Search): Search {
  return { ...search, filters: 'open' };
}

export function withoutSheet(search: Search): Search {
  return { ...search, filters: undefined };
}

/** Whether two searches are the same, apart from the sheet. */
export function isSameChoice(a: Search, b: Search): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  names.delete('filters');
  return [...names].every((name) => (a[name] ?? '') === (b[name] ?? ''));
}
