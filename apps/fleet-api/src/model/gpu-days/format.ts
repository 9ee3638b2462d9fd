import { MINUTE_MS } from '@gpu-observatory/domain-types';

export const HALF_HOUR_MS = 30 * MINUTE_MS;
/** Length of the arrays in `fleet.gpu_days` and `fleet.gpu_day_sums`. */
export const HALF_HOURS_PER_DAY = 48;
/** Bytes of one half hour in `gpu_day_sums.utilization_series`: a right-aligned mean up to 100.00 and a comma. */
export const SERIES_ITEM_BYTES = 7;
/** Maximum number of buckets of a series in a response. */
export const MAX_SERIES_BUCKETS = 48;
