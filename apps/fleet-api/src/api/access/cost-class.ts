import { DomainError, fleetErrors } from '@gpu-observatory/error-envelopes';

const RETRY_AFTER_SECONDS = 1;

/** `slow` reads compare texts row by row; `large` reads are pages of more than 1,000 rows. */
export type CostClass = 'fast' | 'slow' | 'large';
export const COST_CLASSES: readonly CostClass[] = ['fast', 'slow', 'large'];

const REQUESTS: Record<CostClass, string> = {
  fast: 'requests',
  slow: 'requests with text filters',
  large: 'requests for large pages',
};

export function tooManyReads(costClass: CostClass): DomainError {
  return new DomainError(
    fleetErrors.tooManyRequests,
    `Too many concurrent ${REQUESTS[costClass]} of your organization; retry after ${RETRY_AFTER_SECONDS} s with fewer at a time.`,
    { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
  );
}
