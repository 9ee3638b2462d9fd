import { useNavigate } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatMeasure } from '../data/format.ts';
import type { Gpu } from '../data/queries.ts';
import { tokenColor, useColorVersion } from '../shell/preferences.ts';
import styles from './host-grid.module.css';

/** Cells shrink with the number of GPUs, in px. */
const CELL_SIZES: [maxGpus: number, size: number][] = [
  [600, 22],
  [2_500, 16],
  [Infinity, 12],
];
const GAP = 2;
const LABEL_HEIGHT = 15;
const HOST_GAP = 12;

export const COLORINGS = {
  health: 'Health',
  utilization: 'Utilization',
  temperature: 'Temperature',
} as const;
export type Coloring = keyof typeof COLORINGS;

/** Readings at which a cell has the full color. */
const FULL = { utilization: 100, temperature: 90 };
const HEALTH_GLYPHS = { critical: '◆', degraded: '▲', missing: '×', healthy: '' };

interface Cell {
  gpu: Gpu;
  x: number;
  y: number;
}

/** One cell per GPU, grouped by host, on one canvas: 10,000 elements would be too slow. */
export function HostGrid({ gpus, coloring }: { gpus: Gpu[]; coloring: Coloring }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [hovered, setHovered] = useState<Cell>();
  const colorVersion = useColorVersion();
  const navigate = useNavigate();
  const layout = useMemo(() => layOut(gpus, width), [gpus, width]);

  useEffect(() => {
    const element = canvas.current?.parentElement as HTMLElement;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current && width > 0) draw(canvas.current, layout, width, coloring);
  }, [layout, width, coloring, colorVersion]);

  const cellAt = (event: MouseEvent) => {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return layout.cells.find(
      (cell) => x >= cell.x && x < cell.x + layout.cellSize && y >= cell.y && y < cell.y + layout.cellSize,
    );
  };

  return (
    <figure className={styles.grid}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${gpus.length} GPUs by host; the table view has the same data`}
        onMouseMove={(event) => setHovered(cellAt(event))}
        onMouseLeave={() => setHovered(undefined)}
        onClick={(event) => {
          const cell = cellAt(event);
          if (cell) void navigate({ to: '/gpus/$id', params: { id: cell.gpu.gpu_id } });
        }}
        data-clickable={hovered !== undefined}
      />
      {hovered ? (
        <figcaption
          className={styles.tip}
          style={{ left: Math.min(hovered.x, width - 260), top: hovered.y + layout.cellSize + 4 }}
        >
          <strong>{hovered.gpu.hostname}</strong> {hovered.gpu.pcie_address}
          <br />
          {hovered.gpu.model}
          <br />
          {hovered.gpu.health}, {formatMeasure(hovered.gpu.utilization_pct, '% busy')},{' '}
          {formatMeasure(hovered.gpu.temperature_c, '°C')}
        </figcaption>
      ) : null}
    </figure>
  );
}

interface Layout {
  cellSize: number;
  cells: Cell[];
  labels: { text: string; x: number; y: number; width: number }[];
  height: number;
}

/** Places hosts in rows from left to right, each with its name above its cells. */
function layOut(gpus: Gpu[], width: number): Layout {
  const hosts = [...Map.groupBy(gpus, ({ hostname }) => hostname)].sort(([a], [b]) => (a < b ? -1 : 1));
  const [, cellSize] = CELL_SIZES.find(([maxGpus]) => gpus.length <= maxGpus) as [number, number];
  const perRow = Math.max(...hosts.map(([, members]) => Math.min(8, members.length)), 1);
  const hostWidth = Math.max(perRow * (cellSize + GAP), 120) + HOST_GAP;
  const columns = Math.max(1, Math.floor(width / hostWidth));
  const layout: Layout = { cellSize, cells: [], labels: [], height: 0 };
  let y = 0;
  for (let first = 0; first < hosts.length; first += columns) {
    let rowHeight = 0;
    hosts.slice(first, first + columns).forEach(([hostname, members], column) => {
      const x = column * hostWidth;
      layout.labels.push({ text: hostname || 'unknown host', x, y, width: hostWidth - HOST_GAP });
      members.forEach((gpu, n) => {
        layout.cells.push({
          gpu,
          x: x + (n % perRow) * (cellSize + GAP),
          y: y + LABEL_HEIGHT + Math.floor(n / perRow) * (cellSize + GAP),
        });
      });
      rowHeight = Math.max(rowHeight, LABEL_HEIGHT + Math.ceil(members.length / perRow) * (cellSize + GAP));
    });
    y += rowHeight + HOST_GAP;
  }
  layout.height = y;
  return layout;
}

function draw(
  canvas: HTMLCanvasElement,
  { cellSize, cells, labels, height }: Layout,
  width: number,
  coloring: Coloring,
): void {
  const ratio = window.devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.scale(ratio, ratio);
  const names = ['healthy', 'degraded', 'critical', 'missing', 'quiet', 'line', 'paper', 'ink'] as const;
  const colors = Object.fromEntries(names.map((name) => [name, tokenColor(name)])) as Record<
    (typeof names)[number],
    string
  >;
  context.font = '11px system-ui';
  context.fillStyle = colors.quiet;
  context.textBaseline = 'top';
  for (const { text, x, y, width: room } of labels) context.fillText(fitted(context, text, room), x, y);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `${Math.round(cellSize * 0.7)}px system-ui`;
  for (const { gpu, x, y } of cells) {
    const reading = coloring === 'temperature' ? gpu.temperature_c : gpu.utilization_pct;
    context.strokeStyle = colors.line;
    context.strokeRect(x + 0.5, y + 0.5, cellSize - 1, cellSize - 1);
    if (coloring === 'health') {
      context.globalAlpha = gpu.health === 'healthy' ? 0.45 : 1;
      context.fillStyle = colors[gpu.health];
      if (gpu.health !== 'missing') context.fillRect(x, y, cellSize, cellSize);
      context.globalAlpha = 1;
      context.fillStyle = gpu.health === 'missing' ? colors.missing : colors.paper;
      context.fillText(HEALTH_GLYPHS[gpu.health], x + cellSize / 2, y + cellSize / 2 + 0.5);
    } else if (reading !== null) {
      context.globalAlpha = 0.1 + 0.9 * Math.min(1, reading / FULL[coloring]);
      context.fillStyle = coloring === 'temperature' ? colors.critical : colors.healthy;
      context.fillRect(x, y, cellSize, cellSize);
      context.globalAlpha = 1;
    }
  }
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  const characters = Math.max(3, Math.floor((text.length * width) / context.measureText(text).width) - 1);
  return `${text.slice(0, characters)}…`;
}
