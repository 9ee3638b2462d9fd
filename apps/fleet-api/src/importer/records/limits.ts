import { HOUR_MS } from '@gpu-observatory/domain-types';

// Limits of records, in characters unless named otherwise.

export { HOSTNAME_LENGTH, NAME_LENGTH, TEXT_LENGTH } from '../../model/text-lengths.ts';
/** GPU ids are part of index keys; a B-tree entry is limited to 2,704 bytes. */
export const GPU_ID_BYTES = 1_000;
/** Maximum nesting of a record. */
export const JSON_DEPTH = 32;
/** Older records are rejected; `fleet.ensure_partition` also checks the configured retention. */
export const RETENTION_MONTHS = 13;
/** Clock skew that is accepted. A record further in the future would keep a dead GPU alive. */
export const MAX_FUTURE_MS = HOUR_MS;
/** The maximum of the smallint counts in `fleet.gpu_days`. */
export const SAMPLES_PER_HALF_HOUR = 32_767;
/** Counters that are added up over days and fleets (ECC errors, throttle events); nine million of them fit a bigint. */
export const MAX_SUMMED_COUNTER = 1_000_000_000_000;
/** Energy of a GPU, that of 700 W for 45 years; nine thousand of them fit the bigint of a fleet's day. */
export const MAX_MILLIJOULES = 1_000_000_000_000_000;
/** PCIe 7.0 with 16 lanes has 242,000. */
export const MAX_MEGABYTES_PER_SECOND = 1_000_000;
/** Used memory is reported as a share of the total, so the total must not be 0. */
export const MIN_MEMORY_MIB = 1;
