/** Limits of records, in characters unless they say bytes. */
export const NAME_LENGTH = 1_000;
export const TEXT_LENGTH = 20_000;
/** A DNS name has at most 253 (RFC 1035); lists are sorted by it, and an index entry has room for 2,704 bytes. */
export const HOSTNAME_LENGTH = 255;
/** It is part of keys, which have room for 2,704 bytes. */
export const GPU_ID_BYTES = 1_000;
/** The depth of a request's JSON, and of a record's. */
export const JSON_DEPTH = 32;
/** How long data is kept; what is older is refused (`fleet.ensure_partition` has the last word). */
export const RETENTION_MONTHS = 13;
/** Clocks of machines differ a little; a record from further ahead would keep a dead GPU alive. */
export const TOLERATED_FUTURE_MS = 3_600_000;
/** More samples of one GPU than this in a half hour do not fit its rollup (`fleet.gpu_days`, smallint). */
export const SAMPLES_PER_HALF_HOUR = 32_767;
/** Counters that are added up over days and fleets (ECC errors, throttle events): none is so large, and a bigint holds nine million of them. */
export const SUMMED_COUNTER_MOST = 1_000_000_000_000;
/** Memory in use is told as a share of the total: less than 1 MiB is no memory. */
export const LEAST_MEMORY_MIB = 1;
