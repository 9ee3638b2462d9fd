/** A half-open interval in ms since the epoch. */
export interface TimeWindow {
  fromMs: number;
  toMs: number;
}
