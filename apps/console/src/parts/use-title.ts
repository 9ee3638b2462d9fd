import { useEffect } from 'react';

/** Sets the title of the tab, which the history and assistive technology show too. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – GPU Observatory`;
  }, [title]);
}
