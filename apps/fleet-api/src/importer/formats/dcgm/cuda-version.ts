/** Formats the version of the CUDA driver API, 1000 * major + 10 * minor: 12010 is CUDA 12.1. Undefined for other numbers. */
export function cudaVersion(number: number): string | undefined {
  return Number.isInteger(number) && number >= 1_000 && number < 1_000_000
    ? `CUDA ${Math.floor(number / 1_000)}.${Math.floor((number % 1_000) / 10)}`
    : undefined;
}
