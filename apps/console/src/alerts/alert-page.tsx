import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { Search } from '../search.ts';
import { useScope } from '../shell/scope.ts';
import { isDialogOpen, isTextField } from '../shell/use-shortcuts.ts';
import { AlertNeighbors, neighborsOf } from './alert-neighbors.tsx';
import { AlertView } from './alert-view.tsx';
import { selectionOf } from './filters.ts';
import { useAlertPages } from './use-alert-pages.ts';
import styles from './alert-page.module.css';

/** Rows of the list in which the alert is searched, for the ones around it. */
const SEARCHED_ROWS = 2_000;

/** A separate page for one alert, to link to. Its search is that of the list that led here. */
export function AlertPage() {
  const { id } = useParams({ from: '/alerts/$id' });
  const neighbors = useNeighbors(id);
  const navigate = useNavigate();
  const open = useEffectEvent((to: string | undefined) => {
    if (to !== undefined) void navigate({ ...linkTo(to), replace: true });
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || isTextField(target) || isDialogOpen()) return;
      if (key === 'j') open(neighbors?.nextId);
      if (key === 'k') open(neighbors?.previousId);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [neighbors?.nextId, neighbors?.previousId]);
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <Link to="/alerts" search={(search) => search}>
          All alerts
        </Link>
        <AlertNeighbors neighbors={neighbors} linkTo={linkTo} />
      </div>
      <AlertView id={id} isPage />
    </div>
  );
}

function linkTo(id: string) {
  return { to: '/alerts/$id', params: { id }, search: (search: Search) => search } as const;
}

/** Returns the alerts around one in the list of the URL, as long as it is among the first rows. */
function useNeighbors(id: string) {
  const scope = useScope();
  const key = JSON.stringify(selectionOf(useSearch({ strict: false }) as Search));
  const selection = useMemo(() => JSON.parse(key) as Search, [key]);
  const { rows, total, showRows } = useAlertPages(selection, scope);
  const index = rows.indexOf(id);
  const show = useEffectEvent(showRows);
  const isKnown = rows.count > 0;
  useEffect(() => {
    if (isKnown) show(Math.max(0, index - 1), index < 0 ? SEARCHED_ROWS - 1 : index + 1);
  }, [index, isKnown]);
  return neighborsOf(rows, total, id);
}
