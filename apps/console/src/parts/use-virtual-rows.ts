import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import { useMedia } from './use-media.ts';

/** Rows rendered above and below the window of a table. */
const OVERSCAN = 8;

interface RowHeights {
  /** Height of a row in px. */
  row: number;
  /** Height of a row of two lines, where the columns do not fit. */
  tallRow: number;
}

export type VirtualRows = ReturnType<typeof useVirtualRows>;

/** Renders only the rows of a table that are in its window. */
export function useVirtualRows(count: number, heights: RowHeights) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useMedia('(max-width: 48rem)') ? heights.tallRow : heights.row;
  const estimateSize = useCallback(() => rowHeight, [rowHeight]);
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize,
    overscan: OVERSCAN,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return { scroller, virtualizer, rowHeight };
}
