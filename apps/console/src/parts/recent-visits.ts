const STORED = 'recent-visits';
const MAX_VISITS = 8;
/** Pages of one thing. Views without an id are always listed. */
const ITEM_PATH = /^\/(hosts|gpus|alerts)\/([^/]+)$/;

/** A page of a host, GPU or alert that was opened in this browser. */
export interface Visit {
  view: 'hosts' | 'gpus' | 'alerts';
  id: string;
  title: string;
}

/** Stores the page of a host, GPU or alert as the most recent one; other paths are ignored. */
export function recordVisit(path: string, title: string): void {
  const [, view, id] = ITEM_PATH.exec(path) ?? [];
  if (view === undefined || id === undefined) return;
  const visit = { view: view as Visit['view'], id: decodeURIComponent(id), title };
  const others = recentVisits().filter((each) => each.view !== visit.view || each.id !== visit.id);
  localStorage.setItem(STORED, JSON.stringify([visit, ...others].slice(0, MAX_VISITS)));
}

/** Returns the recent pages, the newest first. */
export function recentVisits(): Visit[] {
  try {
    const visits: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(visits) ? visits.filter(isVisit) : [];
  } catch {
    return [];
  }
}

/** Removes the recent pages, whose titles are data of the user who has signed out. */
export function forgetVisits(): void {
  localStorage.removeItem(STORED);
}

function isVisit(value: unknown): value is Visit {
  const { view, id, title } = (value ?? {}) as Partial<Visit>;
  return (
    ['hosts', 'gpus', 'alerts'].includes(view ?? '') && typeof id === 'string' && typeof title === 'string'
  );
}
