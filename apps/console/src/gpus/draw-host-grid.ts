import { tokenColor } from '../shell/preferences.ts';
import { blend, moreReadable, parseRgb } from './contrast.ts';
import type { Cell, Layout } from './host-grid-layout.ts';

/** What the color of a cell shows. The API lists no memory per GPU. */
export const COLORINGS = {
  health: 'Health',
  utilization: 'Utilization',
  temperature: 'Temperature',
} as const;
export type Coloring = keyof typeof COLORINGS;

/** Readings at which a cell has the full color. */
export const FULL = { utilization: 100, temperature: 90 };
/** Opacity of a cell at a reading of zero, so that it differs from a cell without data. */
const FAINTEST = 0.1;
/** Smallest cell with room for the number of its reading, in px. */
const MIN_NUMBER_CELL_SIZE = 24;
/** Width of the outline of the keyboard cursor, in px. */
const CURSOR_WIDTH = 3;
const HEALTH_GLYPHS = { critical: '◆', degraded: '▲', missing: '×', healthy: '' };

interface View {
  width: number;
  /** First and last row of pixels of the layout that the canvas shows. */
  top: number;
  bottom: number;
  coloring: Coloring;
  /** The cell of the keyboard cursor. */
  cursor: Cell | undefined;
}

/** Draws the part of the grid that is in view: a canvas for 10,000 GPUs on a phone exceeds what browsers allocate. */
export function drawHostGrid(canvas: HTMLCanvasElement, layout: Layout, view: View): void {
  const { width, top, bottom, coloring, cursor } = view;
  const { cellSize } = layout;
  const ratio = window.devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = (bottom - top) * ratio;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${bottom - top}px`;
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.scale(ratio, ratio);
  context.translate(0, -top);
  const names = [
    'healthy',
    'degraded',
    'critical',
    'missing',
    'quiet',
    'line',
    'paper',
    'ink',
    'link',
  ] as const;
  const colors = Object.fromEntries(names.map((name) => [name, tokenColor(name)])) as Record<
    (typeof names)[number],
    string
  >;
  const [paper, ink] = [parseRgb(colors.paper), parseRgb(colors.ink)];
  const full = coloring === 'temperature' ? colors.critical : colors.healthy;
  const fullRgb = parseRgb(full);
  const isInView = ({ y }: { y: number }) => y > top - 2 * cellSize && y < bottom;
  context.font = '11px system-ui';
  context.fillStyle = colors.quiet;
  context.textBaseline = 'top';
  for (const { text, x, y, width: room } of layout.labels.filter(isInView)) {
    context.fillText(fitted(context, text, room), x, y);
  }
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `${Math.round(cellSize * (coloring === 'health' ? 0.7 : 0.42))}px system-ui`;
  context.strokeStyle = colors.line;
  for (const { gpu, x, y } of layout.cells.filter(isInView)) {
    context.strokeRect(x + 0.5, y + 0.5, cellSize - 1, cellSize - 1);
    if (coloring === 'health') {
      context.globalAlpha = gpu.health === 'healthy' ? 0.45 : 1;
      context.fillStyle = colors[gpu.health];
      if (gpu.health !== 'missing') context.fillRect(x, y, cellSize, cellSize);
      context.globalAlpha = 1;
      if (gpu.health === 'healthy') continue;
      context.fillStyle = gpu.health === 'missing' ? colors.missing : colors.paper;
      context.fillText(HEALTH_GLYPHS[gpu.health], x + cellSize / 2, y + cellSize / 2 + 0.5);
      continue;
    }
    const reading = coloring === 'temperature' ? gpu.temperature_c : gpu.utilization_pct;
    if (reading === null) continue;
    const opacity = FAINTEST + (1 - FAINTEST) * Math.min(1, reading / FULL[coloring]);
    context.globalAlpha = opacity;
    context.fillStyle = full;
    context.fillRect(x, y, cellSize, cellSize);
    context.globalAlpha = 1;
    if (cellSize < MIN_NUMBER_CELL_SIZE) continue;
    const isInk = moreReadable(ink, paper, blend(fullRgb, paper, opacity)) === ink;
    context.fillStyle = isInk ? colors.ink : colors.paper;
    context.fillText(reading.toFixed(0), x + cellSize / 2, y + cellSize / 2 + 0.5);
  }
  if (cursor === undefined) return;
  context.strokeStyle = colors.link;
  context.lineWidth = CURSOR_WIDTH;
  context.strokeRect(cursor.x, cursor.y, cellSize, cellSize);
}

/** Shortens a text to a width. Measuring a text of kilobytes once per frame would be slow, so it is cut first. */
function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  const candidate = text.slice(0, 80);
  const measured = context.measureText(candidate).width;
  if (measured <= width) return candidate;
  let characters = Math.floor((candidate.length * width) / measured);
  while (characters > 3 && context.measureText(`${candidate.slice(0, characters)}…`).width > width)
    characters--;
  return `${candidate.slice(0, characters)}…`;
}
