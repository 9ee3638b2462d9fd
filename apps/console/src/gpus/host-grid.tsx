import { useNavigate } from '@tanstack/react-router';
import {
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ChartBoundary } from '../charts/chart-boundary.tsx';
import { SpatialIndex } from '../charts/spatial-index.ts';
import { formatMeasure } from '../data/format.ts';
import type { Gpu } from '../data/queries.ts';
import { useRowCursor } from '../parts/use-row-cursor.ts';
import { useColorVersion } from '../shell/preferences.ts';
import { type Coloring, drawHostGrid } from './draw-host-grid.ts';
import { type Cell, layOut } from './host-grid-layout.ts';
import styles from './host-grid.module.css';

/** Pixels drawn above and below the window, so that not every scroll event draws. */
const MARGIN = 400;
const TIP_WIDTH = 260;
/** Room above and below the cell of the keyboard cursor, in px: for the header of the page and the description. */
const SCROLL_MARGIN = 140;

/** One cell per GPU, grouped by host, on one canvas: 10,000 elements would be too slow. */
export function HostGrid(props: HostGridProps) {
  return (
    <ChartBoundary title="GPUs by host">
      <Cells {...props} />
    </ChartBoundary>
  );
}

interface HostGridProps {
  gpus: Gpu[];
  coloring: Coloring;
}

function Cells({ gpus, coloring }: HostGridProps) {
  const figure = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [room, setRoom] = useState({ width: 0, height: 0 });
  const [hovered, setHovered] = useState<Cell>();
  const colorVersion = useColorVersion();
  const navigate = useNavigate();
  const layout = useMemo(() => layOut(gpus, room), [gpus, room]);
  const { width } = room;
  const index = useMemo(() => new SpatialIndex(layout.cells, layout.cellSize), [layout]);
  const { top, bottom } = useWindowPart(figure, layout.height);

  const open = ({ gpu }: Cell) =>
    void navigate({ to: '/gpus/$id', params: { id: gpu.gpu_id }, search: (search) => search });
  const cursorIndex = useRowCursor({
    rowCount: layout.cells.length,
    onMove: (n) => {
      setHovered(undefined);
      scrollToCell(figure.current as HTMLElement, layout.cells[n] as Cell, layout.cellSize);
    },
    onOpen: (n) => {
      const cell = layout.cells[n];
      if (cell) open(cell);
    },
  });
  const cursor = layout.cells[cursorIndex];
  const described = hovered ?? cursor;

  useEffect(() => {
    const element = figure.current as HTMLElement;
    const measure = () => {
      const top = element.getBoundingClientRect().top + window.scrollY;
      const [nextWidth, height] = [element.clientWidth, window.innerHeight - top];
      // The height of the figure changes with its layout, which the room does not depend on.
      setRoom((known) =>
        known.width === nextWidth && known.height === height ? known : { width: nextWidth, height },
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, []);
  useLayoutEffect(() => {
    if (canvas.current && width > 0)
      drawHostGrid(canvas.current, layout, { width, top, bottom, coloring, cursor });
  }, [layout, width, top, bottom, coloring, cursor, colorVersion]);

  const cellAt = (event: MouseEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top + top];
    return index
      .near(x, y)
      .find(
        (cell) => x >= cell.x && x < cell.x + layout.cellSize && y >= cell.y && y < cell.y + layout.cellSize,
      );
  };

  return (
    <figure ref={figure} className={styles.grid} style={{ height: layout.height }}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${gpus.length} GPUs by host; the table view has the same data`}
        style={{ top }}
        onMouseMove={(event) => setHovered(cellAt(event))}
        onMouseLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const cell = cellAt(event);
          if (cell) open(cell);
        }}
        data-clickable={hovered !== undefined}
      />
      {described ? (
        <figcaption
          className={styles.tip}
          style={{
            left: Math.max(0, Math.min(described.x, width - TIP_WIDTH)),
            top: described.y + layout.cellSize + 4,
          }}
        >
          <strong>
            <bdi>{described.gpu.hostname || described.gpu.gpu_id}</bdi>
          </strong>{' '}
          {described.gpu.pcie_address}
          <br />
          <bdi>{described.gpu.model}</bdi>
          <br />
          {described.gpu.health}
          <br />
          Means of 24 hours: utilization {formatMeasure(described.gpu.utilization_pct, '%')}, temperature{' '}
          {formatMeasure(described.gpu.temperature_c, '°C')}
        </figcaption>
      ) : null}
    </figure>
  );
}

/** Scrolls the window so that a cell of the grid is in view, with its description below. */
function scrollToCell(grid: HTMLElement, { y }: Cell, cellSize: number): void {
  const cellTop = grid.getBoundingClientRect().top + y;
  const cellBottom = cellTop + cellSize + SCROLL_MARGIN;
  if (cellTop < SCROLL_MARGIN) window.scrollBy({ top: cellTop - SCROLL_MARGIN });
  else if (cellBottom > window.innerHeight) window.scrollBy({ top: cellBottom - window.innerHeight });
}

/** Returns the part of an element of the given height that is in the window, with a margin. */
function useWindowPart(element: RefObject<HTMLElement | null>, height: number) {
  const [part, setPart] = useState({ top: 0, bottom: 0 });
  useLayoutEffect(() => {
    const update = () => {
      const offset = element.current?.getBoundingClientRect().top ?? 0;
      const visibleTop = Math.max(0, -offset);
      const visibleBottom = Math.min(height, window.innerHeight - offset);
      setPart((current) => {
        const isDrawn = current.top <= visibleTop && current.bottom >= visibleBottom;
        if (isDrawn && current.bottom <= height) return current;
        return {
          top: Math.max(0, Math.floor(visibleTop - MARGIN)),
          bottom: Math.min(height, Math.ceil(visibleBottom + MARGIN)),
        };
      });
    };
    update();
    window.addEventListener('scroll', update, { passive: true });
    window.addEventListener('resize', update);
    return () => {
      window.removeEventListener('scroll', update);
      window.removeEventListener('resize', update);
    };
  }, [element, height]);
  return part;
}
