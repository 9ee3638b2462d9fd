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

/** Largest share of the container's memory that large pages use before they are sent. */
const MAX_PAGES_SHARE = 1 / 20;
const MAX_PAGES_BYTES = 48 * 1024 * 1024;
/** One is read while another one is built and sent. */
const LARGE_PAGES = 2;
/** A large page is in memory twice: as the texts from the database and as the body. */
const COPIES = 2;

/** Limits of concurrent reads in this process. */
export interface ReadLimits {
  /** Reads of one customer: all, slow ones and large pages. */
  customer: Record<'fast' | 'slow' | 'large', number>;
  /** Reads of all customers, so that fast reads find a connection and memory. */
  all: Record<'slow' | 'large', number>;
  /** Length of the documents from which a page ends early, in bytes. */
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
