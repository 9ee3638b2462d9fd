import { useEffect } from 'react';
import { recordVisit } from './recent-visits.ts';

/** Sets the title of the tab, which the history, assistive technology and the list of recent pages show too. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – GPU Observatory`;
    recordVisit(window.location.pathname, title);
  }, [title]);
}
