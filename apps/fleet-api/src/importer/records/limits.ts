// Limits of records, in characters unless named otherwise.

export { MAX_FUTURE_MS } from '../../model/data-age.ts';
export { HOSTNAME_LENGTH, NAME_LENGTH, TEXT_LENGTH } from '../../model/text-lengths.ts';
/** GPU ids are part of index keys; a B-tree entry is limited to 2,704 bytes. */
export const GPU_ID_BYTES = 1_000;
/** Maximum nesting of a record. */
export const JSON_DEPTH = 32;
/** Older records are rejected; `fleet.ensure_partition` also checks the configured retention. */
export const RETENTION_MONTHS = 13;
/** The maximum of the smallint counts in `fleet.gpu_days`. */
export const SAMPLES_PER_HALF_HOUR = 32_767;
/** Maximum of counters that are added up over days and fleets (ECC errors, throttle events). The sum of nine million fits a bigint. */
export const MAX_SUMMED_COUNTER = 1_000_000_000_000;
/** Maximum energy of a GPU: 700 W for 45 years. The sum of nine thousand fits the bigint of a fleet's day. */
export const MAX_MILLIJOULES = 1_000_000_000_000_000;
/** Maximum PCIe throughput. PCIe 7.0 with 16 lanes reaches 242,000. */
export const MAX_MEGABYTES_PER_SECOND = 1_000_000;
/** Minimum total memory. The API divides used memory by it, so it must not be 0. */
export const MIN_MEMORY_MIB = 1;
