import { useEffect, useRef, useState } from 'react';
import { isDialogOpen, isTextField } from '../shell/use-shortcuts.ts';

interface RowCursorOptions {
  rowCount: number;
  /** Row that is open elsewhere, where the cursor continues; -1 for none. */
  openIndex?: number;
  onMove: (index: number) => void;
  onOpen: (index: number) => void;
  /** Called on `x`; a list without it has no selection. */
  onSelect?: (index: number) => void;
}

/**
 * Moves a cursor through the rows of a list with `j` and `k`; Enter opens the row, `x` selects it. Returns the index, -1 at first. A
 * control that has the focus loses it to the cursor, because it would handle Enter itself.
 */
export function useRowCursor(options: RowCursorOptions): number {
  const { openIndex = -1 } = options;
  const [cursor, setCursor] = useState(openIndex);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (openIndex >= 0) setCursor(openIndex);
  }, [openIndex]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTextField(event.target) || isDialogOpen()) return;
      const { rowCount, onMove, onOpen, onSelect } = latest.current;
      if ((event.key === 'j' || event.key === 'k') && rowCount > 0) {
        const next = Math.max(0, Math.min(rowCount - 1, cursor + (event.key === 'j' ? 1 : -1)));
        setCursor(next);
        if (isControl(event.target)) event.target.blur();
        onMove(next);
      } else if (event.key === 'x' && cursor >= 0) onSelect?.(cursor);
      else if (event.key === 'Enter' && cursor >= 0 && !isControl(event.target)) onOpen(cursor);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [cursor]);
  return cursor;
}

/** Whether the element handles Enter itself. */
function isControl(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.closest('a, button, summary') !== null;
}
