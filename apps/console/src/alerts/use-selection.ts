import { useCallback, useRef, useState } from 'react';
import type { AlertItem } from '../data/queries.ts';
import type { AlertRows } from './use-alert-pages.ts';

/** Selects or deselects a row; with `isRange` all rows up to the one before. */
export type ToggleRow = (row: number, isRange: boolean) => void;

/** Alerts that are selected to copy. They stay selected while their rows are out of memory. */
export function useSelection(rows: AlertRows) {
  const [selected, setSelected] = useState<ReadonlyMap<string, AlertItem>>(new Map());
  const last = useRef(-1);
  const latest = useRef(rows);
  latest.current = rows;
  const toggle = useCallback<ToggleRow>((row, isRange) => {
    const first = isRange && last.current >= 0 ? last.current : row;
    last.current = row;
    setSelected((current) => {
      const next = new Map(current);
      const target = latest.current.at(row);
      const isSelecting = target !== undefined && !current.has(target.id);
      for (let each = Math.min(first, row); each <= Math.max(first, row); each += 1) {
        const alert = latest.current.at(each);
        if (alert === undefined) continue;
        if (isSelecting) next.set(alert.id, alert);
        else next.delete(alert.id);
      }
      return next;
    });
  }, []);
  const clear = useCallback(() => setSelected(new Map()), []);
  return { selected, toggle, clear };
}
