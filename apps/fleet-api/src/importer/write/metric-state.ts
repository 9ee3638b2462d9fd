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
  /** The second of the last two incidents of critical XIDs less than 3 minutes apart. */
  crashChainAt?: string;
  /** End of the last healthy interval. */
  healthyUntil?: string;
}

export interface CriticalXid {
  at: string;
  code: number;
  /** Of a gauge: longest time between the XID and the sample that shows it. */
  reachMs?: number;
}

/** Temperatures of 10 minutes as the sums of a least-squares line; seconds count from its start. */
export interface SlopeTile {
  startMs: number;
  n: number;
  seconds: number;
  celsius: number;
  secondsSquared: number;
  secondsCelsius: number;
  /** Slope that the sum of the day includes, in sum units; null until there are readings at two different times. */
  counted: number | null;
}
