/**
 * What must be remembered of the samples of one GPU to see a counter grow, an XID change and throttling begin. Stored
 * with the GPU, so that the next import goes on where the last one ended.
 */
export interface HealthMemory {
  /** The time of the newest sample, RFC 3339; samples before it can tell nothing new of health. */
  at?: string;
  xidLastCode?: number;
  /** When the XID gauge last fell to 0: the driver was loaded anew. */
  resetAt?: string;
  throttleReasons?: number;
  eccDoubleBitTotal?: number;
  nvlinkErrorsTotal?: number;
  pcieReplaysTotal?: number;
  /** Times at which throttling began, of the last ten minutes. */
  throttleEdges?: string[];
}
