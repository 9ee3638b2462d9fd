import { useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMedia } from './use-media.ts';

/** Rows rendered above and below the window of a table. */
const OVERSCAN = 8;
/** Height of the header of the page on a phone, in px, which stays above the rows that the cursor scrolls to. */
const PHONE_HEADER = 104;

interface RowHeights {
  /** Height of a row in px. */
  row: number;
  /** Height of a row of two lines, where the columns do not fit. */
  tallRow: number;
}

export type VirtualRows = ReturnType<typeof useVirtualRows>;

/** Renders only the rows of a table that are in its window. On a phone, the page scrolls and not the table. */
export function useVirtualRows(count: number, heights: RowHeights) {
  const scroller = useRef<HTMLDivElement>(null);
  const isPhone = useMedia('(max-width: 48rem)');
  const rowHeight = isPhone ? heights.tallRow : heights.row;
  const estimateSize = useCallback(() => rowHeight, [rowHeight]);
  const offset = usePageOffset(scroller, isPhone);
  const options = { count, estimateSize, overscan: OVERSCAN };
  const ofTable = useVirtualizer({
    ...options,
    enabled: !isPhone,
    getScrollElement: () => scroller.current,
  });
  const ofPage = useWindowVirtualizer({
    ...options,
    enabled: isPhone,
    scrollMargin: offset,
    scrollPaddingStart: PHONE_HEADER,
  });
  const virtualizer = isPhone ? ofPage : ofTable;
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  return {
    scroller,
    virtualizer,
    rowHeight,
    /** Position of the first row, in px. */
    offset: isPhone ? offset : 0,
  };
}

/** Returns the distance of an element from the top of the page, in px. */
function usePageOffset(element: { current: HTMLElement | null }, isEnabled: boolean): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    if (!isEnabled) return;
    const measure = () => {
      if (element.current) setOffset(element.current.getBoundingClientRect().top + window.scrollY);
    };
    // What is above the table changes the height of the page when it changes its own.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    measure();
    return () => observer.disconnect();
  }, [element, isEnabled]);
  return offset;
}
