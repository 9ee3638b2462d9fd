import type { Gpu } from '../data/queries.ts';

/** Largest cell, in px. Cells grow up to it as long as all hosts fit in the window. */
const LARGEST_CELL_SIZE = 48;
/** Cells of a grid that does not fit in the window shrink with the number of GPUs, in px. */
const CELL_SIZES: [maxGpus: number, size: number][] = [
  [100, 34],
  [400, 26],
  [800, 22],
  [2_500, 16],
  [Infinity, 12],
];
/** Smallest cell for the sake of a second host in a row. */
const MIN_CELL_SIZE = 12;
const MAX_PER_ROW = 8;
const MIN_HOST_WIDTH = 120;
const GAP = 2;
const LABEL_HEIGHT = 15;
const HOST_GAP = 16;

export interface Cell {
  gpu: Gpu;
  x: number;
  y: number;
}

export interface Layout {
  cellSize: number;
  /** Ascending by `y` of their hosts. */
  cells: Cell[];
  labels: { text: string; x: number; y: number; width: number }[];
  height: number;
}

/**
 * Places hosts in rows from left to right, each with its name above its cells. `room` has the width of the grid and the
 * height from its top to the bottom of the window.
 */
export function layOut(gpus: Gpu[], room: { width: number; height: number }): Layout {
  const { width } = room;
  const hosts = [...Map.groupBy(gpus, ({ hostname }) => hostname)].sort(([a], [b]) => (a < b ? -1 : 1));
  const [, largestCell] = CELL_SIZES.find(([maxGpus]) => gpus.length <= maxGpus) as [number, number];
  const largest = hosts.reduce((max, [, members]) => Math.max(max, members.length), 1);
  const perRow = Math.min(MAX_PER_ROW, largest);
  // On a phone, two hosts fit next to each other with smaller cells.
  const halfCell = Math.floor((width - HOST_GAP) / 2 / perRow) - GAP;
  const smallest = halfCell >= MIN_CELL_SIZE ? Math.min(largestCell, halfCell) : largestCell;
  const lines = Math.ceil(largest / perRow);
  const hostWidthOf = (size: number) => Math.max(perRow * (size + GAP), MIN_HOST_WIDTH) + HOST_GAP;
  const columnsOf = (size: number) => Math.max(1, Math.floor((width + HOST_GAP) / hostWidthOf(size)));
  const heightOf = (size: number) =>
    Math.ceil(hosts.length / columnsOf(size)) * (LABEL_HEIGHT + lines * (size + GAP) + HOST_GAP);
  let cellSize = LARGEST_CELL_SIZE;
  while (cellSize > smallest && (hostWidthOf(cellSize) > width || heightOf(cellSize) > room.height))
    cellSize -= 1;
  const [hostWidth, columns] = [hostWidthOf(cellSize), columnsOf(cellSize)];
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
