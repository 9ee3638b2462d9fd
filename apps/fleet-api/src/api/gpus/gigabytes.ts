const MIB_PER_GB = 1_024;

/** Converts MiB to GB of 1,024 MiB, the unit in which boards are specified, rounded to three decimals. */
export function gigabytes(mib: number | null | undefined): number | null {
  return mib === null || mib === undefined ? null : Math.round((mib / MIB_PER_GB) * 1000) / 1000;
}
