import { MINUTE_MS } from '@gpu-observatory/domain-types';

export const HALF_HOUR_MS = 30 * MINUTE_MS;
/** Length of the arrays in `fleet.gpu_days` and `fleet.gpu_day_sums`. */
export const HALF_HOURS_PER_DAY = 48;
/** Maximum number of buckets of a series in a response. */
export const MAX_SERIES_BUCKETS = 48;
