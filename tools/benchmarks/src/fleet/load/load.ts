import type { Latency } from '../../comparison.ts';

/** Throughput of a contender, and the response times of a server. */
export interface Load {
  perSecond: number;
  latency?: Latency;
}

export type MeasureLoad = (seconds: number) => Promise<Load>;
