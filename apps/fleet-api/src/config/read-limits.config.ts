import { setting, shareOfMemory } from '@gpu-observatory/service-runtime/process';
import type { z } from 'zod';

export const readLimitSettings = {
  CUSTOMER_CONCURRENT_READS: setting.integer('concurrent reads of one customer in this process', {
    min: 1,
    max: 200,
    defaultValue: 6,
  }),
  CUSTOMER_CONCURRENT_SLOW_READS: setting.integer(
    'concurrent reads of one customer with text filters, included in CUSTOMER_CONCURRENT_READS',
    { min: 1, max: 200, defaultValue: 1 },
  ),
};

/** Rows of large pages per concurrent read: by default a customer reads one page of 10,000 rows at a time. */
const ROWS_PER_READ = 2_000;

/** Time limit of a read with text filters, see docs/fleet-api.md#limits. */
export const SLOW_READ_TIMEOUT_MS = 20_000;

/** Largest share of the container's memory that large pages use before they are sent. */
const MAX_PAGES_SHARE = 1 / 16;
const MAX_PAGES_BYTES = 64 * 1024 * 1024;

/** Limits of concurrent reads in this process. */
export interface ReadLimits {
  /** Of one customer. */
  reads: number;
  /** Rows of the large pages of one customer. */
  rows: number;
  /** Memory of the large pages of all customers, in bytes. */
  bytes: number;
  /** Slow reads of one customer. */
  slowReads: number;
  /** Slow reads of all customers, so that fast reads find a connection. */
  allSlowReads: number;
}

export function readLimits(
  settings: z.infer<z.ZodObject<typeof readLimitSettings>>,
  poolSize: number,
): ReadLimits {
  return {
    reads: settings.CUSTOMER_CONCURRENT_READS,
    rows: settings.CUSTOMER_CONCURRENT_READS * ROWS_PER_READ,
    bytes: shareOfMemory(MAX_PAGES_SHARE, MAX_PAGES_BYTES),
    slowReads: settings.CUSTOMER_CONCURRENT_SLOW_READS,
    allSlowReads: Math.max(1, Math.floor(poolSize / 2)),
  };
}
