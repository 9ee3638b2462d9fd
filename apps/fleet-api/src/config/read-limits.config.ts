import { setting, shareOfMemory } from '@gpu-observatory/service-runtime/process';
import type { z } from 'zod';

export const readLimitSettings = {
  CUSTOMER_CONCURRENT_READS: setting.integer('concurrent reads of one customer in this process', {
    min: 1,
    max: 200,
    defaultValue: 6,
  }),
  CUSTOMER_CONCURRENT_SLOW_READS: setting.integer(
    'concurrent reads of one customer with text filters or long windows, included in CUSTOMER_CONCURRENT_READS',
    { min: 1, max: 200, defaultValue: 1 },
  ),
};

/** Time limit of a read with text filters or a long window, see docs/fleet-api.md#limits. */
export const SLOW_READ_TIMEOUT_MS = 20_000;

/** Maximum share of the container's memory that large pages use before they are sent. */
const MAX_PAGES_SHARE = 1 / 20;
/** Maximum memory that large pages use, whatever the memory of the container. */
const MAX_PAGES_BYTES = 48 * 1024 * 1024;
/** Maximum number of concurrent large pages: one is read while another one is built and sent. */
const LARGE_PAGES = 2;
/** Number of copies of a large page in memory: the texts from the database, and the body. */
const COPIES = 2;

/** Limits of concurrent reads in this process. */
export interface ReadLimits {
  /** Limits for one customer. `fast` is the limit for all reads, including slow reads and large pages. */
  customer: Record<'fast' | 'slow' | 'large', number>;
  /** Limits for all customers together, which leave connections and memory to fast reads. */
  all: Record<'slow' | 'large', number>;
  /** Size of the documents at which a page ends early, in bytes. */
  pageBytes: number;
}

export function readLimits(
  settings: z.infer<z.ZodObject<typeof readLimitSettings>>,
  poolSize: number,
): ReadLimits {
  return {
    customer: {
      fast: settings.CUSTOMER_CONCURRENT_READS,
      slow: settings.CUSTOMER_CONCURRENT_SLOW_READS,
      large: 1,
    },
    all: { slow: Math.max(1, Math.floor(poolSize / 2)), large: LARGE_PAGES },
    pageBytes: shareOfMemory(MAX_PAGES_SHARE, MAX_PAGES_BYTES) / LARGE_PAGES / COPIES,
  };
}
