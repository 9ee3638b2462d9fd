// DCGM_*_BLANK and the larger values up to *_LAST (dcgm_structs.h): not found, not supported, not permitted.
const INT32_BLANK = 0x7ffffff0;
const INT32_LAST = 0x7fffffff;
const FP64_BLANK = 140_737_488_355_328;
const FP64_LAST = FP64_BLANK + 15;
/** 0x7ffffffffffffff0 and above, rounded to a double. */
const INT64_BLANK = 2 ** 63;

/**
 * Returns whether a value is one of DCGM's sentinels for "no value".
 *
 * @param whole whether the field is an integer; integers above the FP64 sentinels are valid, larger doubles are not
 */
export function isBlank(value: number, whole: boolean): boolean {
  if (Number.isNaN(value) || value >= INT64_BLANK) return true;
  if (value >= INT32_BLANK && value <= INT32_LAST) return true;
  const maxFp64 = whole ? FP64_LAST : Infinity;
  return value >= FP64_BLANK && value <= maxFp64;
}
