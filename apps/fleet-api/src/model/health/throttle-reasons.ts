/**
 * Clock event reasons of heat and power: 0x8 hardware slowdown, 0x20 software thermal, 0x40 hardware thermal, 0x80 power
 * brake (https://docs.nvidia.com/deploy/nvml-api/group__nvmlClocksEventReasons.html). Others, such as idle clocks, are normal.
 */
const SEVERE_REASONS = 0x8 | 0x20 | 0x40 | 0x80;

/** Returns whether a severe reason is set now and was not before; false when either value is unknown. */
export function throttlingBegan(before: number | undefined, now: number | null | undefined): boolean {
  if (before === undefined || now == null) return false;
  // Bitwise operators truncate to 32 bits. All severe reasons are in the lowest byte.
  return ((now % 256) & ~(before % 256) & SEVERE_REASONS) !== 0;
}
