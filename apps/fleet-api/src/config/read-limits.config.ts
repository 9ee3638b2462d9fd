import { setting } from '@gpu-observatory/service-runtime';
import type { z } from 'zod';

export const readLimitSettings = {
  CUSTOMER_CONCURRENT_READS: setting.integer('reads of one customer that run at once in this process', {
    min: 1,
    max: 200,
    defaultValue: 6,
  }),
  CUSTOMER_SLOW_READS: setting.integer('how many of them may be slow ones, with filters on texts', {
    min: 1,
    max: 200,
    defaultValue: 1,
  }),
};

/** How many reads run at once. */
export interface ReadLimits {
  /** Of one customer. */
  reads: number;
  /** Of one customer, those that may take long. */
  slowReads: number;
  /** Of all customers together, those that may take long: the others must find connections. */
  allSlowReads: number;
}

export function readLimits(
  settings: z.infer<z.ZodObject<typeof readLimitSettings>>,
  poolSize: number,
): ReadLimits {
  return {
    reads: settings.CUSTOMER_CONCURRENT_READS,
    slowReads: settings.CUSTOMER_SLOW_READS,
    allSlowReads: Math.max(1, Math.floor(poolSize / 2)),
  };
}
