import { useSyncExternalStore } from 'react';
import type { Search } from '../search.ts';

/** A list of alerts that a person has named, in the storage of this browser. Its search is also its link. */
export interface SavedView {
  name: string;
  search: Search;
}

const KEY = 'alert-views';
const MAX_VIEWS = 50;
const listeners = new Set<() => void>();
let known: { text: string | null; views: SavedView[] } = { text: null, views: [] };

/** Returns the saved views, the same list for as long as the storage is the same. */
function storedViews(): SavedView[] {
  const text = localStorage.getItem(KEY);
  if (text !== known.text) known = { text, views: parse(text) };
  return known.views;
}

function parse(text: string | null): SavedView[] {
  try {
    const views: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, search } = (value ?? {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof search === 'object' && search !== null;
}

function store(views: SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
  listeners.forEach((notify) => notify());
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  // Another tab has saved one.
  window.addEventListener('storage', notify);
  return () => {
    listeners.delete(notify);
    window.removeEventListener('storage', notify);
  };
}

/** The saved views; saving one with a known name replaces it. */
export function useSavedViews() {
  const views = useSyncExternalStore(subscribe, storedViews);
  const without = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    save: (view: SavedView) => store([view, ...without(view.name)].slice(0, MAX_VIEWS)),
    remove: (name: string) => store(without(name)),
  };
}
