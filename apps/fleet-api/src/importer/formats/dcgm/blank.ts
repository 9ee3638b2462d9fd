// dcgm_structs.h, DCGM_*_BLANK and the values above it: not found, not supported, not permitted, and so on.
const INT32_BLANK = 0x7ffffff0;
const INT32_LAST = 0x7fffffff;
const FP64_BLANK = 140_737_488_355_328;
const FP64_LAST = FP64_BLANK + 15;
/** 0x7ffffffffffffff0 and everything above it is this number once it has been a float. */
const INT64_BLANK = 2 ** 63;

/**
 * Whether a value is one of DCGM's sentinels for "no value": it is null then, never a number.
 *
 * @param whole a count, which may well be larger than the sentinel of a fraction without being one
 */
export function isBlank(value: number, whole: boolean): boolean {
  if (Number.isNaN(value) || value >= INT64_BLANK) return true;
  if (value >= INT32_BLANK && value <= INT32_LAST) return true;
  return value >= FP64_BLANK && (!whole || value <= FP64_LAST);
}
