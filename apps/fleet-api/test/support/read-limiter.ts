import type { WriteBuffer } from '@gpu-observatory/service-runtime';
import { type CostClass, ReadLimiter } from '../../src/api/access/read-limiter.ts';

export const PAGE_BYTES = 16_000_000;

/** Returns a limiter with small limits. @param customer limits of one customer */
export function newReadLimiter(
  customer: Partial<Record<CostClass, number>> = {},
  onReject?: (costClass: CostClass) => void,
  writeBuffer: Pick<WriteBuffer, 'hasRoom'> = { hasRoom: () => true },
): ReadLimiter {
  const limits = {
    customer: { fast: 3, slow: 1, large: 1, ...customer },
    all: { slow: 2, large: 2 },
    pageBytes: PAGE_BYTES,
  };
  return new ReadLimiter(limits, writeBuffer, onReject);
}
