interface Point {
  x: number;
  y: number;
}

/** Finds points near a position by looking only at the cells around it: a pointer moves more often than a frame. */
export class SpatialIndex<P extends Point> {
  private readonly cells = new Map<string, P[]>();

  /** `size` is the side of a cell: the largest distance that `near` has to cover. */
  constructor(
    points: P[],
    private readonly size: number,
  ) {
    for (const point of points) {
      const key = `${this.cellOf(point.x)},${this.cellOf(point.y)}`;
      const cell = this.cells.get(key);
      if (cell) cell.push(point);
      else this.cells.set(key, [point]);
    }
  }

  /** Returns the points whose cell touches the one at the position: all that are closer than `size`, and some more. */
  near(x: number, y: number): P[] {
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
