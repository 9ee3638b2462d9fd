import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';

/** Upper bound of the age of data, for windows. It is longer than the 13 months of retention. */
export const MAX_AGE_MS = 14 * 31 * DAY_MS;
/** Accepted clock skew of data. A record further in the future would prevent that a lost GPU counts as missing. */
export const MAX_FUTURE_MS = HOUR_MS;
