import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Scrolls the row of links, which is longer than a phone is wide, to that of the current view. If a navigation has removed the
 * element that had the focus, moves the focus to the view, so that Tab continues there.
 */
export function useRenderedView(): void {
  const router = useRouter();
  useEffect(() => {
    showCurrentLink();
    return router.subscribe('onRendered', ({ fromLocation }) => {
      showCurrentLink();
      if (fromLocation !== undefined && document.activeElement === document.body)
        document.getElementById('view')?.focus({ preventScroll: true });
    });
  }, [router]);
}

function showCurrentLink(): void {
  const link = document.querySelector<HTMLElement>('header nav [aria-current=page]');
  const links = link?.parentElement;
  if (links)
    links.scrollLeft = link.offsetLeft - links.offsetLeft + (link.offsetWidth - links.clientWidth) / 2;
}
