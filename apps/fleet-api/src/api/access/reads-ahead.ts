import type { CostClass } from './cost-class.ts';

/**
 * Reads in the queue ahead of another one. It must not take what they wait for: a read of two customers would otherwise
 * never find both of them free while each also sends its own reads.
 */
export class ReadsAhead {
  private readonly waiting: Record<CostClass, Map<number, number>> = {
    fast: new Map(),
    slow: new Map(),
    large: new Map(),
  };
  /** Whether one of them waits only for the memory that the large pages of all customers share. */
  waitsForMemory = false;

  /** Returns the number of reads of this customer ahead of one of this class. */
  of(customerId: number, costClass: CostClass): number {
    return this.waiting[costClass].get(customerId) ?? 0;
  }

  /** @param classes the classes whose reads must not overtake it */
  add(customerIds: readonly number[], classes: readonly CostClass[]): void {
    for (const costClass of classes) {
      const waiting = this.waiting[costClass];
      for (const id of customerIds) waiting.set(id, (waiting.get(id) ?? 0) + 1);
    }
  }
}

export const NONE_AHEAD: Readonly<ReadsAhead> = new ReadsAhead();
