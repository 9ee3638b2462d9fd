/**
 * What must be remembered of the newest samples of one GPU to add up its metrics; stored with the GPU, so that the next
 * import goes on where the last one ended. Times are RFC 3339.
 */
export interface MetricMemory {
  throttleReasons?: number;
  eccSingleBitTotal?: number;
  eccDoubleBitTotal?: number;
  slope?: SlopeTile;
  /** Critical XIDs of the newest day of them, in the order of time. */
  criticalXids?: string[];
  /** The second of the last two critical XIDs that were less than three minutes apart. */
  crashChainAt?: string;
  /** Until when the GPU was last seen healthy. */
  healthyUntil?: string;
}

/** Ten minutes of temperatures, as the sums that a least-squares line needs; seconds count from its begin. */
export interface SlopeTile {
  startMs: number;
  n: number;
  seconds: number;
  celsius: number;
  secondsSquared: number;
  secondsCelsius: number;
  /** What the day's sum holds of it; null as long as there is no line. */
  counted: number | null;
}
