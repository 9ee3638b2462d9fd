import type { WriteBuffer } from '@gpu-observatory/service-runtime';
import type { Metrics } from '@gpu-observatory/service-runtime/monitoring';
import { type CostClass, ReadLimiter } from '../../src/api/access/read-limiter.ts';

export const PAGE_BYTES = 16_000_000;

/** Returns a limiter with small limits. @param customer limits of one customer */
export function newReadLimiter(
  customer: Partial<Record<CostClass, number>> = {},
  onReject: (costClass: CostClass) => void = () => undefined,
  writeBuffer: Pick<WriteBuffer, 'hasRoom'> = { hasRoom: () => true },
): ReadLimiter {
  const readLimits = {
    customer: { fast: 3, slow: 1, large: 1, ...customer },
    all: { slow: 2, large: 2 },
    pageBytes: PAGE_BYTES,
  };
  const metrics = { counter: () => onReject, gauge: () => undefined } as unknown as Metrics;
  return new ReadLimiter({ readLimits }, { metrics, writeBuffer: writeBuffer as WriteBuffer });
}
