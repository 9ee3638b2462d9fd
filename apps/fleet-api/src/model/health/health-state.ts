/** Values of the last samples of a GPU that health rules compare with the next one. Stored in `fleet.gpus.health_state`. */
export interface HealthState {
  /** Time of the newest sample, RFC 3339. Older samples do not affect health. */
  at?: string;
  /** Last code of the XID gauge; 0 for none since the driver was loaded. */
  xidLastCode?: number;
  /** Time at which the XID gauge last fell to 0, because the driver was reloaded. */
  resetAt?: string;
  /** Bit mask of the throttle reasons. */
  throttleReasons?: number;
  // Counters since the driver was loaded.
  eccDoubleBitTotal?: number;
  nvlinkErrorsTotal?: number;
  pcieReplaysTotal?: number;
  remappedRowsTotal?: number;
  /** Times of the throttling onsets in the last 10 minutes. */
  throttleOnsets?: string[];
}
