/** Bytes of one half hour in `fleet.gpu_day_sums.utilization_series`: a right-aligned number and its comma. */
export const SERIES_PART = 7;
