/**
 * Returns the URL of the view without its filters but with its scope; undefined if it has none. The page of an item has
 * those of its list, which do not concern it.
 */
export function clearedFiltersUrl({ pathname, search }: Pick<Location, 'pathname' | 'search'>) {
  if (listUrl({ pathname, search }) !== undefined) return undefined;
  const scope = scopeOf(search);
  return scope.size === new URLSearchParams(search).size ? undefined : urlOf(pathname, scope);
}

/** Returns the URL of the list that the page of an item belongs to; undefined on other pages. */
export function listUrl({ pathname, search }: Pick<Location, 'pathname' | 'search'>) {
  const [, view, id] = pathname.split('/');
  return view && id ? urlOf(`/${view}`, scopeOf(search)) : undefined;
}

function scopeOf(search: string): URLSearchParams {
  const entries = [...new URLSearchParams(search)];
  return new URLSearchParams(entries.filter(([name]) => name === 'customer' || name === 'workspace'));
}

function urlOf(pathname: string, scope: URLSearchParams): string {
  return scope.size === 0 ? pathname : `${pathname}?${scope}`;
}
