/**
 * Values of the newest samples of a GPU that metrics compare with the next one. Stored in `fleet.gpus.metric_state`, so
 * that the next import continues from them. Times are RFC 3339.
 */
export interface MetricState {
  throttleReasons?: number;
  eccSingleBitTotal?: number;
  eccDoubleBitTotal?: number;
  energyMillijoulesTotal?: number;
  slope?: SlopeTile;
  /** Times of the critical XIDs of the 24 h before the newest, in order. */
  criticalXids?: CriticalXid[];
  /** Time of the last incident of critical XIDs less than 3 minutes after another one. */
  crashChainAt?: string;
  /** End of the last healthy interval. */
  healthyUntil?: string;
}

export interface CriticalXid {
  at: string;
  code: number;
  /** Longest time between the XID and the sample in which a gauge shows it, in ms; absent for a line of the driver. */
  reachMs?: number;
}

/** Sums of the temperatures of 10 minutes for a least-squares line. Seconds count from `startMs`. */
export interface SlopeTile {
  startMs: number;
  n: number;
  seconds: number;
  celsius: number;
  secondsSquared: number;
  secondsCelsius: number;
  /** Slope that the sum of the day includes, in sum units; null before there are readings at two different times. */
  counted: number | null;
}
