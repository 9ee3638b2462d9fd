interface Point {
  x: number;
  y: number;
}

/** Finds points near a position by looking only at the cells around it: a pointer moves more often than a frame. */
export class SpatialIndex<P extends Point> {
  /** Points by column and row. Filled with the first query: the first drawing does not wait for it. */
  private cells: Map<string, P[]> | undefined;

  /** `size` is the side of a cell: the largest distance that `near` has to cover. */
  constructor(
    private readonly points: P[],
    private readonly size: number,
  ) {}

  /** Returns the points whose cell touches the one at the position: all that are closer than `size`, and some more. */
  near(x: number, y: number): P[] {
    this.cells ??= Map.groupBy(this.points, (point) => `${this.cellOf(point.x)},${this.cellOf(point.y)}`);
    const [column, row] = [this.cellOf(x), this.cellOf(y)];
    const found: P[] = [];
    for (let c = column - 1; c <= column + 1; c += 1) {
      for (let r = row - 1; r <= row + 1; r += 1) found.push(...(this.cells.get(`${c},${r}`) ?? []));
    }
    return found;
  }

  private cellOf(coordinate: number): number {
    return Math.floor(coordinate / this.size);
  }
}
