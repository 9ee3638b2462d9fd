import { type RefObject, useCallback, useEffect } from 'react';

/** Closes a menu on a click outside and on Esc. Returns a function that closes it; that and Esc return the focus to its button. */
export function useClosing(menu: RefObject<HTMLDetailsElement | null>): () => void {
  const close = useCallback(() => {
    if (!menu.current) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  }, [menu]);
  useEffect(() => {
    const onPointer = ({ target }: PointerEvent) => {
      if (menu.current?.open && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.current?.open) return;
      close();
      // Panels of a view close with the next Esc, not with the same one.
      event.stopImmediatePropagation();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [menu, close]);
  return close;
}
