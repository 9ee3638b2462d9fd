/**
 * State of a GPU's metrics after its newest sample, stored as JSON in `fleet.gpus.metric_state`. The next sample, which may be in
 * another import, is compared with it. Times are RFC 3339.
 */
export interface MetricState {
  /** Bit mask of the throttle reasons, as last reported. */
  throttleReasons?: number;
  /** Counters, as last reported. Their growth is added to the day. */
  eccSingleBitTotal?: number;
  eccDoubleBitTotal?: number;
  energyMillijoulesTotal?: number;
  slope?: SlopeWindow;
  /** Critical XIDs in the 24 h before the newest one, oldest first, at most 50. */
  criticalXids?: CriticalXid[];
  /** Time of the latest crash chain: an incident of critical XIDs that began less than 3 minutes after another. */
  crashChainAt?: string;
  /** End of the last interval in which the GPU was healthy. */
  healthyUntil?: string;
}

export interface CriticalXid {
  at: string;
  code: number;
  /** Longest time between the XID and the sample in which a gauge shows it, in ms; absent for a driver line. */
  reachMs?: number;
}

/** Running sums of a least-squares fit of temperature (°C) over time (s since `startMs`), for one window of 10 minutes. */
export interface SlopeWindow {
  startMs: number;
  /** Number of temperatures. */
  count: number;
  sumSeconds: number;
  sumCelsius: number;
  sumSecondsSquared: number;
  sumSecondsCelsius: number;
  /** Slope of this window in the sum of the day, in the unit of `inSumUnits`; null until it has readings at two times. */
  slopeInDay: number | null;
}
