/** Weight of the last page in the expected size of a row; larger rows count at once. */
const LAST_PAGE_WEIGHT = 0.1;
/** Bounds the memory of the map. */
const MAX_CUSTOMERS = 100_000;

/** Expected size of an alert in the responses of each customer, from its recent large pages. */
export class RowSizes {
  private readonly byCustomer = new Map<number, number>();

  /** Returns bytes per row; undefined before the first large page of one of the customers. */
  expected(customerIds: readonly number[]): number | undefined {
    let largest: number | undefined = 0;
    for (const id of customerIds) {
      const size = this.byCustomer.get(id);
      if (size === undefined) return undefined;
      largest = Math.max(largest, size);
    }
    return largest;
  }

  measured(customerIds: readonly number[], rowBytes: number): void {
    if (this.byCustomer.size > MAX_CUSTOMERS) this.byCustomer.clear();
    for (const id of customerIds) {
      const size = this.byCustomer.get(id) ?? rowBytes;
      this.byCustomer.set(id, Math.max(rowBytes, size + LAST_PAGE_WEIGHT * (rowBytes - size)));
    }
  }
}
